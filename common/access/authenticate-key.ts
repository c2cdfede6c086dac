import { LRUCache } from 'lru-cache';
import { type Clock, plusMs } from '../clock.ts';
import { areEqualDigests, sha256Hex } from '../secrets.ts';
import { ApiKey, type ApiKeyRecord } from './api-key.model.ts';
import type { Credential } from './credential.ts';

const keyPattern = /^bjk_((?:test|live)[a-z2-7]{16})_([a-z2-7]{52})$/;

/** A revoked key may work for this long in a process that has just seen it. */
const cacheTtlMs = 30_000;
/** `lastUsedAt` is for people; a write for each request would cost more than it tells. */
const lastUsedStepMs = 60_000;

/** Turns the text of a key into its credential; null when it is malformed, unknown, revoked or its secret is wrong. */
export type KeyAuthenticator = (key: string) => Promise<Credential | null>;

export function createKeyAuthenticator(clock: Clock): KeyAuthenticator {
  const cache = new LRUCache<string, ApiKeyRecord>({ max: 10_000, ttl: cacheTtlMs });

  return async (key) => {
    const [, keyId, secret] = keyPattern.exec(key) ?? [];
    if (!keyId || !secret) return null;
    const record = cache.get(keyId) ?? (await readKey(keyId));
    if (!record || !areEqualDigests(record.secretHash, sha256Hex(secret))) return null;

    const now = clock.now();
    if (!record.lastUsedAt || record.lastUsedAt <= plusMs(now, -lastUsedStepMs)) {
      await ApiKey.updateOne({ _id: keyId }, { lastUsedAt: now });
      record.lastUsedAt = now;
    }

    return toCredential(record);
  };

  async function readKey(keyId: string): Promise<ApiKeyRecord | null> {
    const record = await ApiKey.findOne({ _id: keyId, revokedAt: null }).lean<ApiKeyRecord>();
    if (record) cache.set(keyId, record);
    return record;
  }
}

function toCredential(record: ApiKeyRecord): Credential {
  const { _id: id, organizationId, mode, scopes, readsPerMinute, writesPerMinute } = record;
  return { kind: 'api-key', id, organizationId, mode, scopes, readsPerMinute, writesPerMinute };
}
