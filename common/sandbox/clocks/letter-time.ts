import { AppError, conflict, invalid } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { findRow, findRows } from '#common/platform/mongo/mongo.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { clockLimits, ownClock, SandboxClock, type SandboxClockRecord } from './sandbox-clock.model.ts';

/** A letter, or what is about one. Without a clock, it goes by the wall clock. */
type OnClock = { clock?: { id: string } | undefined };

/**
 * Returns a function that tells the time of each of these letters: that of its clock as the transaction sees it, else `at`.
 */
export async function readLetterTimes(
  jobs: readonly OnClock[],
  at: Date,
  transaction?: Transaction,
): Promise<(job: OnClock) => Date> {
  const ids = [...new Set(jobs.flatMap(({ clock }) => clock?.id ?? []))];
  // Nearly all letters are on no clock.
  if (ids.length === 0) return () => at;
  const options = { limit: ids.length, ...(transaction && { session: transaction }) };
  const clocks = await findRows<SandboxClockRecord>(SandboxClock, { _id: { $in: ids } }, options);
  const times = new Map(clocks.map(({ _id, now }) => [_id, now]));
  return ({ clock }) => times.get(clock?.id ?? '') ?? at;
}

/** The time of one letter: see `readLetterTimes`. */
export async function readLetterTime(job: OnClock, at: Date, transaction?: Transaction): Promise<Date> {
  return (await readLetterTimes([job], at, transaction))(job);
}

/**
 * Returns the time at which a new letter begins: that of the test clock that its sender names, else `at`. `guard` lets
 * letters join the clock in the transaction that creates them. Throws VALIDATION_ERROR, and CONFLICT while it advances.
 */
export async function startLetter(owner: Owner, clockId: string | null | undefined, at: Date) {
  if (clockId == null) return { letterAt: at };
  const path = ['sandboxClockId'];
  if (owner.mode === 'live') throw invalid(path, 'Only test letters have a clock. Use a test key.');
  const clock = await findRow<SandboxClockRecord>(SandboxClock, ownClock(owner, clockId), { hint: { _id: 1 } });
  if (!clock) throw invalid(path, 'There is no such clock. POST /v1/sandbox/clocks makes one.');
  if (clock.target) throw isMoving();
  const guard = {
    write: (transaction: Transaction, jobs: readonly unknown[]) => join(transaction, clock, jobs.length),
  };
  return { letterAt: clock.now, clock: { id: clock._id }, guard };
}

const isMoving = () => conflict('The clock is advancing. Send the letter when it is ready.');

/**
 * Counts new letters of a clock, in their transaction. Throws CONFLICT when the clock has moved since it was read, and
 * LIMIT_REACHED when it is full.
 */
async function join(transaction: Transaction, { _id, now }: SandboxClockRecord, count: number): Promise<void> {
  const { letters } = clockLimits;
  const joined = await SandboxClock.updateOne(
    { _id, now, target: null, deletedAt: null, letterCount: { $lte: letters - count } },
    { $inc: { letterCount: count } },
    { session: transaction },
  );
  if (joined.matchedCount === 1) return;
  const current = await findRow<SandboxClockRecord>(SandboxClock, { _id }, { session: transaction });
  if (!current || current.letterCount + count <= letters) throw isMoving();
  throw new AppError('LIMIT_REACHED', { message: `The clock has ${letters} letters. Use another one.` });
}
