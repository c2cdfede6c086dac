import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { hourMs, plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { modes } from '#common/modes.ts';
import { randomBase32, sha256Hex } from '#common/secrets.ts';
import { OAuthClient, type OAuthClientRecord } from '../client.model.ts';
import { revokeGrantsOfClient } from '../tokens/revoke-grants.ts';
import { isMetadataUrl } from './client-metadata.ts';

/**
 * Rotates an application's secret and returns the new one, which is not stored in plain text. The previous secret works
 * for `overlapHours` more, older ones stop at once. Throws NOT_FOUND.
 */
export async function rotateClientSecret(
  clientId: string,
  { overlapHours, at, by }: { overlapHours: number; at: Date; by?: AuditActor },
): Promise<{ record: OAuthClientRecord; secret: string }> {
  const secret = randomBase32(32);
  const record = await OAuthClient.findOneAndUpdate(
    // A public client has no secret to rotate.
    { _id: clientId, disabledAt: null, 'secretHashes.0': { $exists: true } },
    {
      $push: { secretHashes: { $each: [sha256Hex(secret)], $position: 0, $slice: 2 } },
      $set: { formerSecretEndsAt: plusMs(at, overlapHours * hourMs) },
    },
    { returnDocument: 'after' },
  )
    .orFail(noClient)
    .lean<OAuthClientRecord>();
  await recordAudit(
    {
      action: 'client.secret-rotated',
      subjectId: clientId,
      ...(record.mode && { mode: record.mode }),
      detail: { overlapHours },
    },
    by,
    at,
  );

  return { record, secret };
}

/** Sets the limit of successful token requests per minute; null for the installation's default. Throws NOT_FOUND. */
export async function setTokensPerMinute(
  clientId: string,
  tokensPerMinute: number | null,
  at: Date,
  by?: AuditActor,
): Promise<OAuthClientRecord> {
  const record = await OAuthClient.findOneAndUpdate(
    { _id: clientId, disabledAt: null },
    { tokensPerMinute },
    { returnDocument: 'after' },
  )
    .orFail(noClient)
    .lean<OAuthClientRecord>();
  await recordAudit({ action: 'client.limit-set', subjectId: clientId, detail: { tokensPerMinute } }, by, at);

  return record;
}

/**
 * Disables an application permanently and revokes all its grants. A repeat changes nothing. A public client is disabled
 * even if no user has consented yet. Throws NOT_FOUND.
 */
export async function disableClient(
  clientId: string,
  at: Date,
  by?: AuditActor,
): Promise<{ record: OAuthClientRecord; revokedGrantCount: number }> {
  if (isMetadataUrl(clientId)) await storeUnknown(clientId, at);
  // Disable the client first, so no new grant escapes the revocation.
  const { modifiedCount } = await OAuthClient.updateOne({ _id: clientId, disabledAt: null }, { disabledAt: at });
  const record = await OAuthClient.findById(clientId).orFail(noClient).lean<OAuthClientRecord>();

  const revokedGrantCount = await revokeGrantsOfClient(clientId, at, by);
  const entry = { action: 'client.disabled', subjectId: clientId, detail: { revokedGrantCount } } as const;
  if (modifiedCount === 1) await recordAudit(entry, by, at);

  return { record, revokedGrantCount };
}

/** Stores a public client that no user has consented to. Does not fetch its metadata. */
async function storeUnknown(clientId: string, at: Date): Promise<void> {
  const unknown = { name: new URL(clientId).host, mode: null, redirectUris: [], scopes: [], secretHashes: [] };
  const more = { formerSecretEndsAt: null, tokensPerMinute: null, createdAt: at, disabledAt: null };
  await OAuthClient.updateOne({ _id: clientId }, { $setOnInsert: { ...unknown, ...more } }, { upsert: true });
}

/** Applications, including disabled ones. */
export type ClientLists = {
  /** By name. */
  registered: OAuthClientRecord[];
  /** The newest ones, newest first. */
  publicClients: OAuthClientRecord[];
  /** The number of all public clients. */
  publicCount: number;
};

/**
 * Returns the registered applications, and apart from them the public clients: any user can add many of those by
 * consenting, with names of their choice.
 */
export async function listClients(): Promise<ClientLists> {
  const ofPublic = { mode: null };
  const [registered, publicClients, publicCount] = await Promise.all([
    OAuthClient.find({ mode: { $in: modes } })
      .sort({ name: 1, _id: 1 })
      .limit(maxRegistered)
      .lean<OAuthClientRecord[]>(),
    OAuthClient.find(ofPublic).sort({ createdAt: -1, _id: 1 }).limit(maxPublicShown).lean<OAuthClientRecord[]>(),
    OAuthClient.countDocuments(ofPublic),
  ]);
  return { registered, publicClients, publicCount };
}

/** Administrators register applications by hand, so there are few. */
const maxRegistered = 1_000;
const maxPublicShown = 100;

function noClient(): AppError {
  return new AppError('NOT_FOUND', { message: 'There is no such application, or it is disabled.' });
}
