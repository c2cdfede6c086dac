import { LRUCache } from 'lru-cache';
import { type Clock, plusMs } from '../clock.ts';
import { areEqualDigests, sha256Hex } from '../secrets.ts';
import { ApiKey, type ApiKeyRecord } from './api-key.model.ts';
import type { Credential } from './credential.ts';

const keyPattern = /^bjk_((?:test|live)[a-z2-7]{16})_([a-z2-7]{52})$/;

/** A revoked key may work for this long in a process that has just seen it and is not told of the revocation. */
const cacheTtlMs = 30_000;
/** `lastUsedAt` is for people; a write for each request would cost more than it tells. */
const lastUsedStepMs = 60_000;

/** Knows callers by their keys. */
export type KeyAuthenticator = {
  /** The credential of a key; null when it is malformed, unknown, revoked or its secret is wrong. */
  authenticate(key: string): Promise<Credential | null>;
  /** Asks the database again when this key comes next: it was revoked. An id of something else does no harm. */
  forget(keyId: string): void;
  /** The same for all keys: revocations may have been missed. */
  forgetAll(): void;
};

export function createKeyAuthenticator(clock: Clock): KeyAuthenticator {
  const cache = new LRUCache<string, ApiKeyRecord>({ max: 10_000, ttl: cacheTtlMs });
  /** Raised whenever something is forgotten. */
  let epoch = 0;

  async function readKey(keyId: string): Promise<ApiKeyRecord | null> {
    const [begunInEpoch, start] = [epoch, performance.now()];
    const record = await ApiKey.findOne({ _id: keyId, revokedAt: null }).lean<ApiKeyRecord>();
    // What was forgotten meanwhile may be this very key, read before it was revoked: it must not be remembered now.
    // And the half minute counts from the question, not from the answer.
    if (record && epoch === begunInEpoch) cache.set(keyId, record, { start });
    return record;
  }

  return {
    async authenticate(key) {
      const [, keyId, secret] = keyPattern.exec(key) ?? [];
      if (!keyId || !secret) return null;
      const record = cache.get(keyId) ?? (await readKey(keyId));
      if (!record || !areEqualDigests(record.secretHash, sha256Hex(secret))) return null;
      await noteUse(record, clock.now());

      return toCredential(record);
    },
    forget(keyId) {
      epoch += 1;
      cache.delete(keyId);
    },
    forgetAll() {
      epoch += 1;
      cache.clear();
    },
  };
}

/** Writes `lastUsedAt` when the last one is a minute old, once, however many requests and processes come at once. */
async function noteUse(record: ApiKeyRecord, now: Date): Promise<void> {
  const { _id, lastUsedAt } = record;
  const stepAgo = plusMs(now, -lastUsedStepMs);
  if (lastUsedAt && lastUsedAt > stepAgo) return;
  record.lastUsedAt = now;
  await ApiKey.updateOne({ _id, lastUsedAt: { $not: { $gt: stepAgo } } }, { lastUsedAt: now });
}

function toCredential(record: ApiKeyRecord): Credential {
  const { _id: id, organizationId, mode, scopes, readsPerMinute, writesPerMinute } = record;
  return { kind: 'api-key', id, organizationId, mode, scopes, readsPerMinute, writesPerMinute };
}
