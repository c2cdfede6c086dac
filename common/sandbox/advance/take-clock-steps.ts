import type { Clock } from '#common/clock.ts';
import { AppError, conflict, hasCode } from '#common/errors.ts';
import { advanceItemsOf } from '#common/mail-jobs/items/advance-items.ts';
import type { ItemMove } from '#common/mail-jobs/items/plan-moves.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Owner } from '#common/modes.ts';
import { findRow, rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { stepOnClock } from '../steps/letter-moments.ts';
import { planSandboxSteps } from '../steps/sandbox-steps.ts';
import { returnSandboxItems } from './return-sandbox-items.ts';

/**
 * Takes the steps of letters that are due at `stepAt` on their test clock, in one transaction for returns and one for the
 * moves, then plans the next ones. Steps of a letter that was changed since it was read are left for the next call.
 */
export async function takeClockSteps(
  jobs: readonly MailJobRecord[],
  stepAt: Date,
  { clock, hints }: { clock: Clock; hints: Hints },
): Promise<void> {
  const at = clock.now();
  const planned = jobs.map((job) => ({ mailJobId: job._id, owner: job, ...planSandboxSteps(job, stepAt) }));
  const eventIds = await returnSandboxItems(planned, at);
  const moves = planned.flatMap(({ mailJobId, owner, moves }) =>
    moves.map((move): ItemMove => {
      return { ...move, mailJobId, owner, by: 'sandbox', nextStepDelayS: 0, require: requireStepAt(stepAt) };
    }),
  );
  const outcomes = moves.length === 0 ? [] : await advanceItemsOf(moves, at);
  const moved = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome instanceof AppError && !hasCode(outcome, 'CONFLICT')) throw outcome;
    if (outcome instanceof AppError) continue;
    moved.add(outcome.job._id);
    if (outcome.eventId !== null) eventIds.push(outcome.eventId);
  }
  if (eventIds.length > 0) hints.notify('fan-out', eventIds);
  // A move plans the next step of its letter.
  for (const { mailJobId, owner } of planned) if (!moved.has(mailJobId)) await planNext(mailJobId, owner);
}

/** A letter may have got another cutoff, or been moved manually, since its steps were planned. */
function requireStepAt(stepAt: Date): (job: MailJobRecord) => void {
  return ({ clock }) => {
    if (clock?.stepAt?.getTime() !== stepAt.getTime()) {
      throw conflict('The next step of the mail job has another time now.');
    }
  };
}

/** Stores the time of the next step, unless the letter was changed after it was read. */
async function planNext(_id: string, { organizationId }: Owner): Promise<void> {
  const current = await findRow<MailJobRecord>(MailJob, { _id, organizationId }, { hint: { _id: 1 } });
  if (!current?.clock) return;
  const { status, clock, dropAt } = current;
  const unchanged = { _id, organizationId, status, dropAt, clock };
  await rowsOf<MailJobRecord>(MailJob).updateOne(unchanged, { $set: stepOnClock(current) }, { hint: { _id: 1 } });
}
