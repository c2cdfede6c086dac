import type { Owner } from '../modes.ts';
import type { Hints } from '../platform/queues.ts';
import { advanceMailJob } from './advance-mail-job.ts';
import type { MailStatus } from './lifecycle.ts';
import type { SandboxTimes } from './sandbox-steps.ts';

const simulated = { code: 'SIMULATED', message: 'The failure was asked for by simulate.' } as const;

export type Simulated = { mailJobId: string; previousStatus: MailStatus; status: MailStatus };

/**
 * Moves a sandbox job by hand: one step, or straight to `target`. It waits for no rendering, and the automatic steps
 * pause after it. Throws NOT_FOUND, or CONFLICT when the job is final or the target not ahead.
 */
export async function simulateMailJob(
  owner: Owner,
  mailJobId: string,
  target: MailStatus | undefined,
  { sandbox, hints }: { sandbox: SandboxTimes; hints: Hints },
  at: Date,
): Promise<Simulated> {
  const failure = target === 'failed' ? { failure: simulated } : {};
  const advance = { mailJobId, owner, target, ...failure, nextStepDelayS: sandbox.pauseS };
  const { job, previousStatus, eventId } = await advanceMailJob(advance, at);
  hints.nudge('fan-out', [eventId]);

  return { mailJobId, previousStatus, status: job.status };
}
