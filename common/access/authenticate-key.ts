import { type Clock, plusMs } from '../clock.ts';
import { createCachedReads } from '../platform/concurrency/cached-reads.ts';
import { areEqualDigests, sha256Hex } from '../secrets.ts';
import { ApiKey, type ApiKeyRecord } from './api-key.model.ts';
import type { Credential } from './credential.ts';

const keyPattern = /^bjk_((?:test|live)[a-z2-7]{16})_([a-z2-7]{52})$/;

/** A process that misses the announcement of a revocation accepts a cached key for at most this long. */
const cacheTtlMs = 30_000;
/** The precision of `lastUsedAt`, which is for people. A write per request would cost more than it is worth. */
const lastUsedStepMs = 60_000;

/** Authenticates requests by API key, with a cache. */
export type KeyAuthenticator = {
  /** Returns the credential of a key, or null if it is malformed, unknown or revoked, or if its secret is wrong. */
  authenticate(key: string): Promise<Credential | null>;
  /** Drops a revoked key from the cache. Ids of other credentials have no effect. */
  invalidate(keyId: string): void;
  /** Drops all keys from the cache, when announcements may have been missed. */
  invalidateAll(): void;
};

export function createKeyAuthenticator(clock: Clock): KeyAuthenticator {
  const cache = createCachedReads<ApiKeyRecord | null>({
    maxAgeMs: cacheTtlMs,
    keepMs: (record) => (record ? cacheTtlMs : 0),
  });

  return {
    async authenticate(key) {
      const [, keyId, secret] = keyPattern.exec(key) ?? [];
      if (!keyId || !secret) return null;
      const record = await cache.get(keyId, () => readKey(keyId));
      if (!record || !areEqualDigests(record.secretHash, sha256Hex(secret))) return null;
      await recordUse(record, clock.now());

      return toCredential(record);
    },
    invalidate: cache.delete,
    invalidateAll: cache.clear,
  };
}

const readKey = (keyId: string) => ApiKey.findOne({ _id: keyId, revokedAt: null }).lean<ApiKeyRecord>().exec();

/** Updates `lastUsedAt` if it is a minute old. Concurrent requests and processes write it once. */
async function recordUse(record: ApiKeyRecord, now: Date): Promise<void> {
  const { _id, lastUsedAt } = record;
  const stepAgo = plusMs(now, -lastUsedStepMs);
  if (lastUsedAt && lastUsedAt > stepAgo) return;
  record.lastUsedAt = now;
  await ApiKey.updateOne({ _id, lastUsedAt: { $not: { $gt: stepAgo } } }, { lastUsedAt: now });
}

function toCredential(record: ApiKeyRecord): Credential {
  const { _id: id, organizationId, mode, scopes, name, createdAt, readsPerMinute, writesPerMinute } = record;
  return {
    kind: 'api-key',
    id,
    actor: { kind: 'key', id },
    organizationId,
    mode,
    scopes,
    name,
    createdAt,
    expiresAt: null,
    readsPerMinute,
    writesPerMinute,
  };
}

/**
 * Returns whether a key is active, from the database and not the cache. For long responses that outlive authentication.
 */
export async function isKeyActive(keyId: string): Promise<boolean> {
  return (await ApiKey.exists({ _id: keyId, revokedAt: null })) !== null;
}
