import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession } from 'mongoose';
import { Counter } from 'prom-client';
import { AppError } from '#common/errors.ts';
import { findRow, isMongoUnavailable, mongoWaitMs } from './mongo.ts';

/** A session inside a transaction. Every function that moves money or changes a status requires one. */
export type Transaction = ClientSession;

/** Counts retries of transactions and commits by the driver's error label. */
export const transactionRetries = new Counter({
  name: 'mongo_txn_retries_total',
  help: 'Retried transactions and commits.',
  labelNames: ['label'],
  registers: [],
});
// From the start, so that the first retries are an increase.
for (const label of ['TransientTransactionError', 'UnknownTransactionCommitResult'])
  transactionRetries.inc({ label }, 0);

/** Back-off before a retry: jitter x min(5 ms x 1.5^n, 40 ms). Only processes conflict, and they are few. */
const backoff = { firstMs: 5, growth: 1.5, maxMs: 40 };

function backoffMs(attempt: number): number {
  return Math.random() * Math.min(backoff.firstMs * backoff.growth ** attempt, backoff.maxMs);
}

/** The commit was sent, but its outcome could not be determined: the writes are stored or not. */
export class UnknownCommitError extends Error {
  override readonly name = 'UnknownCommitError';
}

export type TransactionOptions<T> = {
  /** The deadline, by `performance.now()`. Default: in `mongoWaitMs`, 5 s unless the URL says otherwise. */
  endsAt?: number;
  /** Returns whether the writes of `work` are stored. Called with its last result when a commit was not answered. */
  isStored?: (transaction: Transaction, result: T) => Promise<boolean>;
};

/**
 * Runs `work` in one transaction: all of its writes, or none. `work` is repeated after a conflict with another
 * transaction, so it must have no effects except through the session.
 * Retries until `endsAt` while the database is unreachable. Throws SERVICE_UNAVAILABLE, with nothing stored, when the time
 * is over. Throws UnknownCommitError when the outcome of the commit cannot be determined.
 *
 * Does not use the driver's `withTransaction`, whose deadline of 120 s cannot be changed.
 */
export async function inTransaction<T>(
  work: (transaction: Transaction) => Promise<T>,
  { endsAt = performance.now() + mongoWaitMs(), isStored }: TransactionOptions<T> = {},
): Promise<T> {
  const session = mongoose.connection.getClient().startSession();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptTransaction(session, work, endsAt, isStored);
      } catch (error) {
        if (!isTransient(error)) throw error;
        transactionRetries.inc({ label: 'TransientTransactionError' });
        const pauseMs = backoffMs(attempt);
        if (performance.now() + pauseMs >= endsAt) {
          throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1, cause: error });
        }
        await sleep(pauseMs);
      }
    }
  } finally {
    await session.endSession();
  }
}

async function attemptTransaction<T>(
  session: ClientSession,
  work: (transaction: Transaction) => Promise<T>,
  endsAt: number,
  isStored: TransactionOptions<T>['isStored'],
): Promise<T> {
  session.startTransaction({
    readConcern: { level: 'snapshot' },
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  });
  let result: T;
  try {
    result = await work(session);
  } catch (error) {
    await session.abortTransaction();
    throw error;
  }
  if (performance.now() >= endsAt) {
    await session.abortTransaction();
    throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
  }
  const unknown = await commit(session, endsAt);
  if (!unknown) return result;
  if (!isStored) throw unknown;
  if (await resolveOutcome(session, (transaction) => isStored(transaction, result), unknown)) return result;
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1, cause: unknown });
}

/** Commits. Returns an error instead of throwing it when the commit was sent but not answered. */
async function commit(session: ClientSession, endsAt: number): Promise<UnknownCommitError | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.commitTransaction();
      return null;
    } catch (error) {
      if (!isUnknownOutcome(error)) throw error;
      transactionRetries.inc({ label: 'UnknownTransactionCommitResult' });
      // Committing again is safe: for a committed transaction, the server repeats its answer.
      if (performance.now() >= endsAt) return new UnknownCommitError('The commit was not answered', { cause: error });
      await sleep(backoffMs(attempt));
    }
  }
}

/**
 * Returns whether an unanswered commit is stored. A newer transaction of the same session makes the server abort the
 * older one if it is still open, so "not stored" is final: the lost commit can no longer arrive.
 */
async function resolveOutcome(
  session: ClientSession,
  ask: (transaction: Transaction) => Promise<boolean>,
  unknown: UnknownCommitError,
): Promise<boolean> {
  const endsAt = performance.now() + mongoWaitMs();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(session, ask, endsAt, undefined);
    } catch {
      // Whatever the cause, the outcome is still unknown.
      if (performance.now() >= endsAt) throw unknown;
      await sleep(backoffMs(attempt));
    }
  }
}

/**
 * Returns whether a row that `work` inserted under a new id is stored. For use as `isStored`. `owner`: of the row, if it
 * has one.
 */
export async function isInserted(
  transaction: Transaction,
  model: { collection: { name: string } },
  id: string,
  owner?: { organizationId: string },
): Promise<boolean> {
  const filter = { _id: id, ...(owner && { organizationId: owner.organizationId }) };
  return (await findRow(model, filter, { session: transaction, hint: { _id: 1 } })) !== null;
}

/**
 * Returns whether a transaction may be retried that failed before its commit, or whose commit the server refused. The
 * driver omits its label for a connection that is older than the last break it has noticed.
 */
function isTransient(error: unknown): boolean {
  return hasLabel(error, 'TransientTransactionError') || isMongoUnavailable(error);
}

/**
 * Returns whether an error leaves the outcome of a commit unknown: the server may have committed before the connection
 * broke. Only the server labels a commit as transient, which means that nothing is stored.
 */
function isUnknownOutcome(error: unknown): boolean {
  if (hasLabel(error, 'UnknownTransactionCommitResult')) return true;
  return isMongoUnavailable(error) && !hasLabel(error, 'TransientTransactionError');
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof mongoose.mongo.MongoError && error.hasErrorLabel(label);
}
