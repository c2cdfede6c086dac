import { plusMs } from '#common/clock.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { unreportedMs } from '#common/mail-jobs/rules/lifecycle.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { RetentionRules } from '#common/production/retention/retain.ts';
import { clockStepIndex } from '../clocks/letter-clock.schema.ts';
import { clockWork, SandboxClock, type SandboxClockRecord } from '../clocks/sandbox-clock.model.ts';
import { type DueDeps, findDueOnClock } from './find-due-on-clock.ts';

/** `sliceMs`: for how long one call advances a clock. Default: 1 s. */
export type ClockDeps = DueDeps & { retention: RetentionRules; sliceMs?: number };

/** After this long another clock gets the worker: the claim is due again behind those that wait. */
const defaultSliceMs = 1_000;
/** Delay before an advance that waits for the rendering of a letter looks again. */
const renderPollMs = 250;
/** Letters released per write. */
const releasedAtOnce = 100;

/**
 * Advances a test clock to its target: what falls due on its letters happens in the order of its time, and the clock shows
 * that time meanwhile. Waits until its letters are rendered. An interrupted advance is resumed: each step is recorded on
 * its letter when it is taken. Deletes a clock whose owner or age asks for it.
 */
export async function runClock(
  claim: Claim<SandboxClockRecord>,
  deps: ClockDeps,
  { closing, signal }: { closing: AbortSignal; signal: AbortSignal },
): Promise<void> {
  const { _id: clockId, target, deletesAt, deletedAt } = claim.row;
  const at = deps.clock.now();
  if (deletedAt !== null || (!target && deletesAt <= at)) return await removeClock(claim, at);
  if (!target) return void (await finishClaim(claim, { nextAt: deletesAt }));
  if (await hasLetter(clockId, unrendered)) return await waitForRendering(claim, at);

  const endsAt = performance.now() + (deps.sliceMs ?? defaultSliceMs);
  do {
    const due = await findDueOnClock(clockId, target, deps.retention);
    if (!due) return void (await finishClaim(claim, { set: { now: target, target: null }, nextAt: deletesAt }));
    if (!(await moveClock(claim, due.at))) return;
    await due.run(deps);
  } while (performance.now() < endsAt && !closing.aborted && !signal.aborted);
  // The hint saves the wait for the scanner.
  if (await finishClaim(claim, { nextAt: deps.clock.now() })) deps.hints.notify(clockWork.queue, [clockId]);
}

const unrendered = { status: 'queued', printFile: null };
/** A letter that is being rendered records that on its clock. */
const anyRendering = { $or: [{ 'due.render': { $exists: true } }, { 'due.slowRender': { $exists: true } }] };

async function hasLetter(clockId: string, which: object): Promise<boolean> {
  const filter = { 'clock.id': clockId, ...which };
  return (await MailJob.findOne(filter, { _id: 1 }).hint(clockStepIndex).lean()) !== null;
}

async function waitForRendering(claim: Claim, at: Date): Promise<void> {
  await finishClaim(claim, { nextAt: plusMs(at, renderPollMs) });
}

/** Moves the clock forward to a time. Returns false when the lease was lost or the clock was deleted. */
async function moveClock({ id: _id, token }: Claim, to: Date): Promise<boolean> {
  const held = { _id, [`${clockWork.path}.leaseToken`]: token, deletedAt: null };
  return (await SandboxClock.updateOne(held, { $max: { now: to } })).matchedCount === 1;
}

/** Releases the letters of a clock once they are rendered, then removes the clock. */
async function removeClock(claim: Claim<SandboxClockRecord>, at: Date): Promise<void> {
  const { id: clockId } = claim;
  const held = { _id: clockId, [`${clockWork.path}.leaseToken`]: claim.token };
  // First: from now on no letter joins it, so none can begin to be rendered.
  const marked = await rowsOf<SandboxClockRecord>(SandboxClock).updateOne(held as object, [
    { $set: { deletedAt: { $ifNull: ['$deletedAt', at] } } },
  ]);
  if (marked.matchedCount === 0) return;
  if (await hasLetter(clockId, anyRendering)) return await waitForRendering(claim, at);
  await releaseLetters(clockId, at);
  await SandboxClock.deleteOne(held);
}

/**
 * Releases the letters of a clock that no letter joins any more. They take no further step by themselves, and their
 * retention goes by the wall clock, from `at` on. A registered letter that waits for a report settles as one that is
 * posted at `at`.
 */
async function releaseLetters(clockId: string, at: Date): Promise<void> {
  const onClock = { 'clock.id': clockId };
  for (;;) {
    const rows = await MailJob.find(onClock, { _id: 1 }).hint(clockStepIndex).limit(releasedAtOnce).lean();
    if (rows.length === 0) return;
    await rowsOf<MailJobRecord>(MailJob).updateMany(
      { _id: { $in: rows.map(({ _id }) => _id) }, ...onClock } as object,
      [{ $set: wallClockFields(at) }, { $unset: 'clock' }],
    );
  }
}

function wallClockFields(at: Date) {
  const has = (path: string) => ({ $ifNull: [path, false] });
  const isOnItsWay = { $and: [{ $eq: ['$status', 'posted'] }, { $not: has('$redactedAt') }] };
  const reported = { addressesFrom: plusMs(at, unreportedMs) };
  const removedAt = { $mergeObjects: ['$printFile', { removeAt: at }] };
  return {
    printFile: { $cond: [has('$clock.removeFileAt'), removedAt, '$printFile'] },
    retention: {
      $cond: [has('$clock.settledAt'), { addressesFrom: at }, { $cond: [isOnItsWay, reported, '$$REMOVE'] }],
    },
  };
}
