import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession } from 'mongoose';
import { Counter } from 'prom-client';
import { AppError } from '../errors.ts';

/** A session inside a transaction: what every function that moves money or changes a status must be handed. */
export type Transaction = ClientSession;

/** What made a transaction, or its commit, start again, by the driver's label. For a process's registry. */
export const transactionRetries = new Counter({
  name: 'mongo_txn_retries_total',
  help: 'Transactions and commits that had to be tried again.',
  labelNames: ['label'],
  registers: [],
});

/** How long a transaction is retried against conflicting ones before its caller is told to come back. */
const deadlineMs = 5_000;

/** Back-off between two tries: jitter x min(5 ms x 1.5^n, 40 ms). Only processes conflict, of which there are few. */
const backoff = { firstMs: 5, growth: 1.5, maxMs: 40 };

function backoffMs(attempt: number): number {
  return Math.random() * Math.min(backoff.firstMs * backoff.growth ** attempt, backoff.maxMs);
}

/** The commit was sent, and nobody could find out what became of it: the writes are stored, or they are not. */
export class UnknownCommitError extends Error {
  override readonly name = 'UnknownCommitError';
}

export type TransactionOptions<T> = {
  /** When to give up, by `performance.now()`; 5 s from now when absent. */
  endsAt?: number;
  /** Whether what `work` wrote is there; asked when a commit was not answered, about the last result of `work`. */
  isStored?: (transaction: Transaction, result: T) => Promise<boolean>;
};

/**
 * Runs `work` in one transaction: all of its writes, or none. It may run several times (a conflicting write of another
 * transaction makes it start again), so it must have no effect but through the session.
 * Throws SERVICE_UNAVAILABLE, with nothing stored, when it did not get through in time, UnknownCommitError when nobody
 * can tell.
 *
 * The driver's own `withTransaction` is not used because its deadline of 120 s cannot be set.
 */
export async function inTransaction<T>(
  work: (transaction: Transaction) => Promise<T>,
  { endsAt = performance.now() + deadlineMs, isStored }: TransactionOptions<T> = {},
): Promise<T> {
  const session = mongoose.connection.getClient().startSession();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptTransaction(session, work, endsAt, isStored);
      } catch (error) {
        if (!hasLabel(error, 'TransientTransactionError')) throw error;
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
    // Its caller has been waiting too long to still want it.
    await session.abortTransaction();
    throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
  }
  const unknown = await commit(session, endsAt);
  if (!unknown) return result;
  if (!isStored) throw unknown;
  if (await findOut(session, (transaction) => isStored(transaction, result), unknown)) return result;
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1, cause: unknown });
}

/** Returns an error instead of throwing it when the commit was sent and no answer came. */
async function commit(session: ClientSession, endsAt: number): Promise<UnknownCommitError | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.commitTransaction();
      return null;
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult')) throw error;
      transactionRetries.inc({ label: 'UnknownTransactionCommitResult' });
      // Committing again is safe: the server answers for a transaction that it has committed already.
      if (performance.now() >= endsAt) return new UnknownCommitError('The commit was not answered', { cause: error });
      await sleep(backoffMs(attempt));
    }
  }
}

/**
 * What became of a commit. A newer transaction of the same session makes the server end the older one if it is still
 * open, so an answer of "not stored" stays true: the lost commit can no longer arrive.
 */
async function findOut(
  session: ClientSession,
  ask: (transaction: Transaction) => Promise<boolean>,
  unknown: UnknownCommitError,
): Promise<boolean> {
  const endsAt = performance.now() + deadlineMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(session, ask, endsAt, undefined);
    } catch {
      // Whatever the cause, the question is still open.
      if (performance.now() >= endsAt) throw unknown;
      await sleep(backoffMs(attempt));
    }
  }
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof mongoose.mongo.MongoError && error.hasErrorLabel(label);
}
