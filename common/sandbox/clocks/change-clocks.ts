import { type Creator, creatorOf } from '#common/audit/created-by.ts';
import { dayMs, plusMs } from '#common/clock.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { AppError, conflict, invalid, notFound } from '#common/errors.ts';
import { newIdAt } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { lockOrganization } from '#common/organizations/lock-organization.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import type { KeyClaim } from '#common/platform/idempotency/claim-key.ts';
import { findRow, insertRows, rowsOf } from '#common/platform/mongo/mongo.ts';
import { type Page, type PageQuery, readPage } from '#common/platform/mongo/read-page.ts';
import { inTransaction, isInserted } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import {
  clockLimits,
  clocksByOwner,
  clockWork,
  ownClock,
  SandboxClock,
  type SandboxClockRecord,
} from './sandbox-clock.model.ts';

/**
 * Creates a clock that shows `now`, at most 365 days from the wall clock, and finishes `claim` in the same transaction.
 * Throws VALIDATION_ERROR, LIMIT_REACHED.
 */
export async function createClock(
  { organizationId, mode, actor }: Creator,
  now: Date,
  at: Date,
  claim?: KeyClaim,
): Promise<SandboxClockRecord> {
  const { daysFromNow, clocks, lifeDays } = clockLimits;
  if (Math.abs(now.getTime() - at.getTime()) > daysFromNow * dayMs) {
    throw invalid(['now'], `Must be at most ${daysFromNow} days from now.`);
  }
  const deletesAt = plusMs(at, lifeDays * dayMs);
  const record: SandboxClockRecord = {
    ...{ _id: newIdAt('clk', at), organizationId, mode, now, target: null, letterCount: 0 },
    ...{ deletesAt, deletedAt: null, due: newDue(deletesAt), ...creatorOf(actor), createdAt: at },
  };
  await inTransaction(
    async (transaction) => {
      await lockOrganization(transaction, organizationId, 'clocksCreated');
      const own = { organizationId, mode, deletedAt: null };
      const count = await SandboxClock.countDocuments(own, { session: transaction, limit: clocks });
      if (count >= clocks) {
        throw new AppError('LIMIT_REACHED', { message: `There are ${clocks} test clocks. Delete one first.` });
      }
      await insertRows(SandboxClock, [record], transaction);
      await claim?.finish(record._id, transaction);
    },
    { isStored: (transaction) => isInserted(transaction, SandboxClock, record._id) },
  );
  return record;
}

/** Returns a clock. Throws NOT_FOUND. */
export async function readClock(owner: Owner, clockId: string): Promise<SandboxClockRecord> {
  const clock = await findRow<SandboxClockRecord>(SandboxClock, ownClock(owner, clockId), { hint: { _id: 1 } });
  if (!clock) throw notFound();
  return clock;
}

/** Returns a page of an owner's clocks, newest first. */
export async function listClocks(
  { organizationId, mode }: Owner,
  page: PageQuery,
  cursors: CursorCodec,
): Promise<Page<SandboxClockRecord>> {
  const filter = { organizationId, mode, deletedAt: null } as never;
  const list = { model: SandboxClock as never, filter, hint: clocksByOwner };
  return await readPage<SandboxClockRecord>(
    { ...list, scope: { route: 'clocks', organizationId, mode } },
    page,
    cursors,
  );
}

/**
 * Lets a clock advance, which a worker does. A repeat changes nothing, while it advances there and afterwards. Throws
 * NOT_FOUND, VALIDATION_ERROR for a time that has passed or is too far ahead, and CONFLICT while it advances to another
 * time.
 */
export async function advanceClock(
  owner: Owner,
  { clockId, to }: { clockId: string; to: Date },
  { hints }: { hints: Hints },
  at: Date,
): Promise<SandboxClockRecord> {
  const clock = await readClock(owner, clockId);
  const { now, target } = clock;
  if (isBoundFor(clock, to)) return clock;
  if (!target) requireAhead(to, now, at);
  const advanced = await rowsOf<SandboxClockRecord>(SandboxClock).findOneAndUpdate(
    { ...ownClock(owner, clockId), now, target: null },
    { $set: { target: to, due: newDue(at) } },
    { returnDocument: 'after' },
  );
  if (!advanced) {
    // The same request may have been made at the same time.
    const current = await readClock(owner, clockId);
    if (isBoundFor(current, to)) return current;
    throw conflict('The clock is advancing. Wait until it is ready.');
  }
  hints.notify(clockWork.queue, [clockId]);
  return advanced;
}

/** Returns whether a clock is at this time or on its way there. */
function isBoundFor({ now, target }: SandboxClockRecord, to: Date): boolean {
  return (target ?? now).getTime() === to.getTime();
}

function requireAhead(to: Date, now: Date, at: Date): void {
  const { daysPerAdvance, yearsAhead } = clockLimits;
  if (to < now) throw invalid(['to'], `Must not be before the clock's time, ${now.toISOString()}.`);
  if (to.getTime() - now.getTime() > daysPerAdvance * dayMs) {
    throw invalid(['to'], `Must be at most ${daysPerAdvance} days after the clock's time.`);
  }
  if (to > plusMs(at, yearsAhead * 365 * dayMs)) throw invalid(['to'], `Must be at most ${yearsAhead} years from now.`);
}

/** Deletes a clock. Its letters stay as they are. Throws NOT_FOUND. */
export async function deleteClock(owner: Owner, clockId: string, { hints }: { hints: Hints }, at: Date): Promise<void> {
  const deleted = await SandboxClock.updateOne(ownClock(owner, clockId), { $set: { deletedAt: at, due: newDue(at) } });
  if (deleted.matchedCount === 0) throw notFound();
  hints.notify(clockWork.queue, [clockId]);
}
