import { type Clock, plusMs } from '#common/clock.ts';
import { hasCode } from '#common/errors.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { returnSandboxItems } from '#common/mail-jobs/lifecycle/return-sandbox-items.ts';
import { clockStepIndex, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { clockOf, planSandboxSteps } from '#common/mail-jobs/sandbox/item-steps.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import { findRow, rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { clockWork, SandboxClock, type SandboxClockRecord } from '#common/sandbox-clocks/sandbox-clock.model.ts';
import { type RetentionRules, redactRecipients, removePrintFile } from '../retention/retain.ts';

export type RunClockDeps = { clock: Clock; hints: Hints; retention: RetentionRules; store: ObjectStore; log: Log };

const dayMs = 24 * 60 * 60 * 1000;
/** Delay before an advance that waits for the rendering of a letter looks again. */
const renderPollMs = 250;

/**
 * Advances a test clock to its target: what falls due on its letters happens in the order of its time, and the clock shows
 * that time meanwhile. Waits until its letters are rendered. An interrupted advance is resumed: each step is recorded on
 * its letter when it is taken. Deletes a clock whose owner or age asks for it.
 */
export async function runClock(
  claim: Claim<SandboxClockRecord>,
  deps: RunClockDeps,
  { closing, signal }: { closing: AbortSignal; signal: AbortSignal },
): Promise<void> {
  const { _id: clockId, target, deletesAt, deletedAt } = claim.row;
  const at = deps.clock.now();
  const isEnding = deletedAt !== null || (!target && deletesAt <= at);
  if (!target && !isEnding) return void (await finishClaim(claim, { nextAt: deletesAt }));
  const rendering = isEnding ? anyRendering : { status: 'queued', printFile: null };
  if (await hasLetter(clockId, rendering)) return void (await finishClaim(claim, { nextAt: plusMs(at, renderPollMs) }));
  if (!target || isEnding) return await removeClock(claim, at);

  while (!closing.aborted && !signal.aborted) {
    const next = await findNext(clockId, target, deps.retention);
    if (!next) return void (await finishClaim(claim, { set: { now: target, target: null }, nextAt: deletesAt }));
    if (!(await moveClock(claim, next.at))) return;
    await next.run(deps);
  }
  await finishClaim(claim, { nextAt: deps.clock.now() });
}

/** A letter that is being rendered records that on its clock. */
const anyRendering = { $or: [{ 'due.render': { $exists: true } }, { 'due.slowRender': { $exists: true } }] };

async function hasLetter(clockId: string, which: object): Promise<boolean> {
  const filter = { 'clock.id': clockId, ...which };
  return (await MailJob.findOne(filter, { _id: 1 }).hint(clockStepIndex).lean()) !== null;
}

/** Moves the clock forward to a time. Returns false when the lease was lost or the clock was deleted. */
async function moveClock({ id: _id, token }: Claim, to: Date): Promise<boolean> {
  const held = { _id, [`${clockWork.path}.leaseToken`]: token, deletedAt: null };
  return (await SandboxClock.updateOne(held, { $max: { now: to } })).matchedCount === 1;
}

type Next = { at: Date; run(deps: RunClockDeps): Promise<void> };

/** Returns what falls due first on the letters of a clock, until its target. */
async function findNext(clockId: string, target: Date, { addressDays }: RetentionRules): Promise<Next | null> {
  const first = async (path: string, until: Date, hint: Record<string, 1> = { 'clock.id': 1, [path]: 1 }) =>
    await rowsOf<MailJobRecord>(MailJob).findOne({ 'clock.id': clockId, [path]: { $lte: until } } as object, {
      sort: { [path]: 1 },
      hint,
    });
  const addressMs = (addressDays ?? 0) * dayMs;
  const [step, file, settled] = await Promise.all([
    first('clock.stepAt', target, clockStepIndex),
    first('clock.removeFileAt', target),
    addressDays === null ? null : first('clock.settledAt', plusMs(target, -addressMs)),
  ]);
  const found: Next[] = [];
  if (step?.clock?.stepAt) found.push({ at: step.clock.stepAt, run: (deps) => takeSteps(step, deps) });
  if (file?.clock?.removeFileAt) {
    const { removeFileAt } = file.clock;
    found.push({ at: removeFileAt, run: (deps) => removePrintFile(file, deps, removeFileAt) });
  }
  if (settled?.clock?.settledAt) {
    const redactedAt = plusMs(settled.clock.settledAt, addressMs);
    found.push({ at: redactedAt, run: async () => void (await redactRecipients(settled._id, redactedAt)) });
  }
  return found.sort((left, right) => left.at.getTime() - right.at.getTime())[0] ?? null;
}

/** Takes the steps of a letter that are due, then plans the next ones. */
async function takeSteps(job: MailJobRecord, { clock, hints }: RunClockDeps): Promise<void> {
  const { _id: mailJobId } = job;
  const at = clock.now();
  const { moves, returns } = planSandboxSteps(job, job.clock?.stepAt);
  const eventIds = await returnSandboxItems(mailJobId, returns, at);
  try {
    for (const move of moves) {
      const { eventId } = await advanceItems({ ...move, mailJobId, by: 'sandbox', nextStepDelayS: 0 }, at);
      if (eventId !== null) eventIds.push(eventId);
    }
  } catch (error) {
    // The job was advanced manually since it was read.
    if (!hasCode(error, 'CONFLICT')) throw error;
  }
  if (eventIds.length > 0) hints.notify('fan-out', eventIds);
  await planNext(job);
}

/** Stores the time of the next step, unless the letter was changed after it was read. */
async function planNext({ _id }: MailJobRecord): Promise<void> {
  const current = await findRow<MailJobRecord>(MailJob, { _id }, { hint: { _id: 1 } });
  if (!current?.clock) return;
  const { status, clock, dropAt } = current;
  const { stepAt } = clockOf(current);
  if (stepAt?.getTime() === clock.stepAt?.getTime()) return;
  const change = stepAt ? { $set: { 'clock.stepAt': stepAt } } : { $unset: { 'clock.stepAt': '' } };
  const unchanged = { _id, status, dropAt, 'clock.id': clock.id };
  await rowsOf<MailJobRecord>(MailJob).updateOne(unchanged as object, change as object);
}

/** Letters released per write. */
const releasedAtOnce = 100;

/** Releases the letters of a clock, which take no further step by themselves, then removes the clock. */
async function removeClock(claim: Claim<SandboxClockRecord>, at: Date): Promise<void> {
  const { id: clockId } = claim;
  // From now on no letter joins it.
  const held = { _id: clockId, [`${clockWork.path}.leaseToken`]: claim.token };
  const marked = await rowsOf<SandboxClockRecord>(SandboxClock).updateOne(held as object, [
    { $set: { deletedAt: { $ifNull: ['$deletedAt', at] } } },
  ]);
  if (marked.matchedCount === 0) return;
  for (;;) {
    const onClock = { 'clock.id': clockId };
    const rows = await MailJob.find(onClock, { _id: 1 }).hint(clockStepIndex).limit(releasedAtOnce).lean();
    if (rows.length === 0) break;
    await rowsOf<MailJobRecord>(MailJob).updateMany(
      { _id: { $in: rows.map(({ _id }) => _id) }, ...onClock } as object,
      [{ $set: wallClockFields(at) }, { $unset: 'clock' }],
    );
  }
  await SandboxClock.deleteOne(held);
}

/** The retention of a released letter goes by the wall clock, from now on. */
function wallClockFields(at: Date) {
  const has = (path: string) => ({ $ifNull: [path, false] });
  const removedAt = { $mergeObjects: ['$printFile', { removeAt: at }] };
  return {
    printFile: { $cond: [has('$clock.removeFileAt'), removedAt, '$printFile'] },
    retention: { $cond: [has('$clock.settledAt'), { addressesFrom: at }, '$$REMOVE'] },
  };
}
