import { plusMs } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { AuditActor } from '../organizations/audit.model.ts';
import { recordAudit } from '../organizations/record-audit.ts';
import { randomBase32, sha256Hex } from '../secrets.ts';
import { OAuthClient, type OAuthClientRecord } from './client.model.ts';
import { revokeGrantsOfClient } from './revoke-grants.ts';

const hourMs = 60 * 60 * 1_000;

/**
 * Gives an application a new secret, shown this once; the newest one before it goes on working for `overlapHours`, an
 * older one ends now. Throws NOT_FOUND.
 */
export async function rotateClientSecret(
  clientId: string,
  { overlapHours, at, by }: { overlapHours: number; at: Date; by?: AuditActor },
): Promise<{ record: OAuthClientRecord; secret: string }> {
  const secret = randomBase32(32);
  const record = await OAuthClient.findOneAndUpdate(
    { _id: clientId, disabledAt: null },
    {
      $push: { secretHashes: { $each: [sha256Hex(secret)], $position: 0, $slice: 2 } },
      $set: { formerSecretEndsAt: plusMs(at, overlapHours * hourMs) },
    },
    { returnDocument: 'after' },
  ).lean<OAuthClientRecord>();
  if (!record) throw noClient();
  await recordAudit({ action: 'client.secret-rotated', subjectId: clientId, detail: { overlapHours } }, by, at);

  return { record, secret };
}

/** Ends an application for good, with every grant that users gave it; again changes nothing. Throws NOT_FOUND. */
export async function disableClient(
  clientId: string,
  at: Date,
  by?: AuditActor,
): Promise<{ record: OAuthClientRecord; revokedGrantCount: number }> {
  // First the client, so that no grant can come after those that are ended.
  const { modifiedCount } = await OAuthClient.updateOne({ _id: clientId, disabledAt: null }, { disabledAt: at });
  const record = await OAuthClient.findById(clientId).lean<OAuthClientRecord>();
  if (!record) throw noClient();

  const revokedGrantCount = await revokeGrantsOfClient(clientId, at);
  const entry = { action: 'client.disabled', subjectId: clientId, detail: { revokedGrantCount } } as const;
  if (modifiedCount === 1) await recordAudit(entry, by, at);

  return { record, revokedGrantCount };
}

/** Every application, disabled ones too, by name. */
export async function listClients(): Promise<OAuthClientRecord[]> {
  const clients = await OAuthClient.find().sort({ name: 1, _id: 1 }).limit(maxClients).lean<OAuthClientRecord[]>();
  return clients;
}

/** An administrator registers each by hand. */
const maxClients = 1_000;

function noClient(): AppError {
  return new AppError('NOT_FOUND', { message: 'There is no such application, or it is disabled.' });
}
