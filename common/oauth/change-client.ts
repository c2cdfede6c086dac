import { plusMs } from '../clock.ts';
import { AppError } from '../errors.ts';
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
  { overlapHours, at }: { overlapHours: number; at: Date },
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

  return { record, secret };
}

/** Ends an application for good, with every grant that users gave it; again changes nothing. Throws NOT_FOUND. */
export async function disableClient(
  clientId: string,
  at: Date,
): Promise<{ record: OAuthClientRecord; revokedGrantCount: number }> {
  // First the client, so that no grant can come after those that are ended.
  await OAuthClient.updateOne({ _id: clientId, disabledAt: null }, { disabledAt: at });
  const record = await OAuthClient.findById(clientId).lean<OAuthClientRecord>();
  if (!record) throw noClient();

  return { record, revokedGrantCount: await revokeGrantsOfClient(clientId, at) };
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
