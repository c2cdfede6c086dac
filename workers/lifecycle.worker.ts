import type { Clock } from '#common/clock.ts';
import { hasCode } from '#common/errors.ts';
import { logFieldsOf, type MailJobRecord, stepWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { finishClaim } from '#common/platform/due-work/due-work.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { returnSandboxItems } from '#common/sandbox/advance/return-sandbox-items.ts';
import { createStepCommitter } from '#common/sandbox/advance/step-committer.ts';
import { planSandboxSteps, type SandboxTimes } from '#common/sandbox/steps/sandbox-steps.ts';
import type { ClaimedWork } from './claimed-work.ts';

export type LifecycleDeps = { clock: Clock; hints: Hints; sandbox: SandboxTimes };

/** Advances sandbox mail jobs. Running a step twice is harmless: the second run finds another status and does nothing. */
export function lifecycleWorker({ clock, hints, sandbox }: LifecycleDeps): ClaimedWork<MailJobRecord> {
  const committer = createStepCommitter({ clock, sandbox });
  return {
    slot: stepWork,
    // As many as one transaction takes.
    concurrency: 100,
    logFieldsOf,
    async run(claim) {
      const { moves, returns } = planSandboxSteps(claim.row);
      // Before the moves, which end the claim: a worker that is killed in between repeats them, and they happen once.
      const returned = await returnSandboxItems([{ mailJobId: claim.id, owner: claim.row, returns }], clock.now());
      if (returned.length > 0) hints.notify('fan-out', returned);
      if (moves.length === 0) return void (await finishClaim(claim));
      try {
        const { eventId } = await committer.step(claim.row);
        if (eventId !== null) hints.notify('fan-out', [eventId]);
      } catch (error) {
        // The job was advanced manually since it was claimed, which planned its next step.
        if (!hasCode(error, 'CONFLICT')) throw error;
        await finishClaim(claim);
      }
    },
  };
}
