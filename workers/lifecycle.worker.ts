import type { Clock } from '../common/clock.ts';
import { AppError } from '../common/errors.ts';
import { advanceMailJob } from '../common/mail-jobs/advance-mail-job.ts';
import { type MailJobRecord, stepWork, traceOf } from '../common/mail-jobs/mail-job.model.ts';
import type { SandboxTimes } from '../common/mail-jobs/sandbox-steps.ts';
import { finishClaim } from '../common/platform/due-work.ts';
import type { Hints } from '../common/platform/queues.ts';
import type { ClaimedWork } from './claimed-work.ts';

export type LifecycleDeps = { clock: Clock; hints: Hints; sandbox: SandboxTimes };

/** Moves sandbox jobs on by themselves. May run twice for one step: the second finds another status, and does nothing. */
export function lifecycleWorker({ clock, hints, sandbox }: LifecycleDeps): ClaimedWork<MailJobRecord> {
  return {
    slot: stepWork,
    concurrency: 20,
    traceOf,
    async run(claim) {
      const { _id: mailJobId, status: from } = claim.row;
      try {
        const advance = { mailJobId, from, nextStepDelayS: sandbox.stepDelayS };
        const { eventId } = await advanceMailJob(advance, clock.now());
        hints.nudge('fan-out', [eventId]);
      } catch (error) {
        // Somebody has moved it by hand since it was claimed; what comes next was planned then.
        if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
        await finishClaim(claim);
      }
    },
  };
}
