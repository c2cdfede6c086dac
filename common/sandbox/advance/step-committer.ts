import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Clock } from '#common/clock.ts';
import { AppError, conflict } from '#common/errors.ts';
import { advanceItemsOf, type ItemsMoved } from '#common/mail-jobs/items/advance-items.ts';
import type { ItemMove } from '#common/mail-jobs/items/plan-moves.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { createGroupCommit } from '#common/platform/concurrency/group-commit.ts';
import { isMongoUnavailable } from '#common/platform/mongo/mongo.ts';
import { UnknownCommitError } from '#common/platform/mongo/transaction.ts';
import { planSandboxSteps, type SandboxTimes } from '../steps/sandbox-steps.ts';

/** Takes the automatic steps of sandbox jobs, those that wait at the same time in one transaction. */
export type StepCommitter = {
  /**
   * Moves the copies of a job by one step each, from what it was read with. Throws CONFLICT when it has left that status or
   * has no step, NOT_FOUND, or SERVICE_UNAVAILABLE when the database is blocked for 5 s. The other steps of the
   * transaction go through.
   */
  step(job: MailJobRecord): Promise<ItemsMoved>;
};

/** A step writes three rows, so 100 steps of single copies stay well below the 1,000 rows that a transaction should write at most. */
const maxSteps = 100;

export function createStepCommitter({ clock, sandbox }: { clock: Clock; sandbox: SandboxTimes }): StepCommitter {
  const group = createGroupCommit<MailJobRecord, ItemsMoved>({
    async commit(jobs, endsAt) {
      const moves = jobs.map((job) => movesOf(job, sandbox));
      const outcomes = await advanceItemsOf(moves.flat(), clock.now(), endsAt);
      return moves.map((own) => toOutcome(outcomes.splice(0, own.length)));
    },
    // Jobs are claimed together. Without this, the first of them would be committed alone.
    beforeCommit: nextLoop,
    bytesOf: (job) => Buffer.byteLength(JSON.stringify(job)),
    keyOf: ({ _id }) => _id,
    concernsAll: (error) => error instanceof UnknownCommitError || isMongoUnavailable(error),
    maxItems: () => maxSteps,
    // The transaction reads all jobs in one reply, which holds at most 16 MB.
    maxBytes: 4 * 1024 * 1024,
    maxWaiting: 1_000,
    maxWaitMs: 5_000,
    // A simulated step of one of the jobs ends within milliseconds. A killed process blocks its job for seconds.
    stallTimeoutMs: 1_000,
  });
  return { step: group.add };
}

function movesOf(job: MailJobRecord, { stepDelayS }: SandboxTimes): ItemMove[] {
  const { moves } = planSandboxSteps(job);
  return moves.map((move) => ({ ...move, mailJobId: job._id, owner: job, by: 'sandbox', nextStepDelayS: stepDelayS }));
}

/** Returns the outcome of a job's moves: that of the last one, with the event of any of them. */
function toOutcome(outcomes: readonly (ItemsMoved | AppError)[]): ItemsMoved | AppError {
  const last = outcomes.at(-1) ?? conflict('The mail job has no automatic step.');
  if (last instanceof AppError) return last;
  const eventIds = outcomes.map((each) => (each instanceof AppError ? null : each.eventId));
  return { ...last, eventId: eventIds.find((id) => id !== null) ?? null };
}
