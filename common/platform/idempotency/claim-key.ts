import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { randomBase32, type Signer, sha256Hex } from '#common/secrets.ts';
import { findRow, isDuplicateKey, rowsOf } from '../mongo/mongo.ts';
import type { Transaction } from '../mongo/transaction.ts';
import { IdempotencyKey, type IdempotencyKeyRecord } from './idempotency-key.model.ts';

/** How long a key is remembered. */
export const keyLifeMs = 24 * 60 * 60 * 1000;
/** No request takes longer: it has ended without a word, with its process. */
export const keyLeaseMs = 60_000;
/** Most keys of an owner. Counting them takes 20 ms. */
const maxKeys = 50_000;

/** The right to carry out the request of a key. */
export type KeyClaim = {
  /**
   * Stores the result: in the transaction that creates it, or without one after the fact. After a call in a transaction,
   * one without does nothing. Throws SERVICE_UNAVAILABLE when the lease has ended and a repeat took the key over.
   */
  finish(result: string, transaction?: Transaction): Promise<void>;
  /** Frees the key of a request that failed. Does nothing when a result is stored. */
  release(): Promise<void>;
};

/** `request`: all that a repeat must have in common, as text. `signer` makes its HMAC. */
export type KeyedRequest = { key: string; request: string; signer: Signer };

/**
 * Claims a key of an owner for its first request, or returns the result of the request that was carried out. Throws
 * IDEMPOTENCY_MISMATCH for another request, SERVICE_UNAVAILABLE while the first one runs, and LIMIT_REACHED beyond
 * `limit`. When the process of the first request dies, a repeat claims the key after `keyLeaseMs`.
 */
export async function claimKey(
  { organizationId, mode }: Owner,
  { key, request, signer }: KeyedRequest,
  at: Date,
  limit = maxKeys,
): Promise<KeyClaim | { result: string }> {
  const _id = sha256Hex(`${organizationId} ${mode} ${key}`);
  const macs = signer.signAll(request).map((mac) => mac.toString('base64url'));
  const [requestMac = ''] = macs;
  const token = randomBase32(16);
  const lease = { token, leasedUntil: plusMs(at, keyLeaseMs), expiresAt: plusMs(at, keyLifeMs) };
  const isExpired = { expiresAt: { $lte: at } };
  const isAbandoned = { result: null, leasedUntil: { $lte: at }, requestMac: { $in: macs } };
  const keys = rowsOf<IdempotencyKeyRecord>(IdempotencyKey);
  try {
    const change = { $set: { organizationId, mode, requestMac, result: null, ...lease } };
    await keys.updateOne({ _id, $or: [isExpired, isAbandoned] }, change, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Majority read: the caller will not repeat the request after this answer.
    const row = await findRow<IdempotencyKeyRecord>(IdempotencyKey, { _id }, { readConcern: { level: 'majority' } });
    if (row && !macs.includes(row.requestMac)) throw new AppError('IDEMPOTENCY_MISMATCH');
    if (row?.result == null) throw inProgress();
    return { result: row.result };
  }
  const claim = createClaim({ _id, token });
  if ((await keys.countDocuments({ organizationId, mode }, { limit: limit + 1 })) <= limit) return claim;
  await claim.release();
  const message = `Your organization has sent ${limit} Idempotency-Keys in 24 hours. Send none, or wait.`;
  throw new AppError('LIMIT_REACHED', { message });
}

function createClaim(own: { _id: string; token: string }): KeyClaim {
  const keys = rowsOf<IdempotencyKeyRecord>(IdempotencyKey);
  let isFinished = false;
  return {
    async finish(result, transaction) {
      if (isFinished && !transaction) return;
      const options = transaction ? { session: transaction } : {};
      const { matchedCount } = await keys.updateOne(own, { $set: { result } }, options);
      if (matchedCount === 0) throw inProgress();
      isFinished = true;
    },
    async release() {
      await keys.deleteOne({ ...own, result: null });
    },
  };
}

function inProgress(): AppError {
  const message = 'A request with this Idempotency-Key is being carried out. Repeat it after Retry-After.';
  return new AppError('SERVICE_UNAVAILABLE', { message, retryAfterS: 1 });
}
