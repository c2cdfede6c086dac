import { LRUCache } from 'lru-cache';
import { type Clock, plusMs } from '../clock.ts';
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
  const cache = new LRUCache<string, ApiKeyRecord>({ max: 10_000, ttl: cacheTtlMs });
  let invalidations = 0;

  async function readKey(keyId: string): Promise<ApiKeyRecord | null> {
    const [invalidationsAtStart, start] = [invalidations, performance.now()];
    const record = await ApiKey.findOne({ _id: keyId, revokedAt: null }).lean<ApiKeyRecord>();
    // An invalidation during the read may concern this key, so the result must not be cached. The TTL counts from the
    // start of the read.
    if (record && invalidations === invalidationsAtStart) cache.set(keyId, record, { start });
    return record;
  }

  return {
    async authenticate(key) {
      const [, keyId, secret] = keyPattern.exec(key) ?? [];
      if (!keyId || !secret) return null;
      const record = cache.get(keyId) ?? (await readKey(keyId));
      if (!record || !areEqualDigests(record.secretHash, sha256Hex(secret))) return null;
      await recordUse(record, clock.now());

      return toCredential(record);
    },
    invalidate(keyId) {
      invalidations += 1;
      cache.delete(keyId);
    },
    invalidateAll() {
      invalidations += 1;
      cache.clear();
    },
  };
}

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
