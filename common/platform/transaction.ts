import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession } from 'mongoose';
import { AppError } from '../errors.ts';

/** A session inside a transaction: what every function that moves money or changes a status must be handed. */
export type Transaction = ClientSession;

/** How long a transaction is retried against conflicting ones before its caller is told to come back. */
const deadlineMs = 5_000;

/** Back-off between two tries, as the drivers' specification has it: jitter x min(5 ms x 1.5^n, 500 ms). */
const backoff = { firstMs: 5, growth: 1.5, maxMs: 500 };

function backoffMs(attempt: number): number {
  return Math.random() * Math.min(backoff.firstMs * backoff.growth ** attempt, backoff.maxMs);
}

/** The commit was sent, and no answer came within the deadline: the writes are stored, or they are not. */
export class UnknownCommitError extends Error {
  override readonly name = 'UnknownCommitError';
}

/**
 * Runs `work` in one transaction: all of its writes, or none. It may run several times (a conflicting write of another
 * transaction makes it start again), so it must have no effect but through the session.
 * Throws SERVICE_UNAVAILABLE when it did not get through within 5 s, UnknownCommitError when nobody can tell.
 *
 * The driver's own `withTransaction` is not used because its deadline of 120 s cannot be set.
 */
export async function inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const endsAt = performance.now() + deadlineMs;
  const session = mongoose.connection.getClient().startSession();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptTransaction(session, work, endsAt);
      } catch (error) {
        if (!hasLabel(error, 'TransientTransactionError')) throw error;
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
  await commit(session, endsAt);

  return result;
}

async function commit(session: ClientSession, endsAt: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult')) throw error;
      // Committing again is safe: the server answers for a transaction that it has committed already.
      if (performance.now() >= endsAt) throw new UnknownCommitError('The commit was not answered', { cause: error });
      await sleep(backoffMs(attempt));
    }
  }
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof mongoose.mongo.MongoError && error.hasErrorLabel(label);
}
