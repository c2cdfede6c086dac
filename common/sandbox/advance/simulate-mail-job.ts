import type { MailCommitter } from '#common/mail-jobs/create/mail-committer.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import type { Owner } from '#common/modes.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { SandboxTimes } from '../steps/sandbox-steps.ts';

const simulated = { code: 'SIMULATED', message: 'The failure was asked for by simulate.' } as const;

export type SimulateDeps = { sandbox: SandboxTimes; hints: Hints; mailCommitter: Pick<MailCommitter, 'runExclusive'> };

export type Simulated = { mailJobId: string; previousStatus: MailStatus; status: MailStatus };

/**
 * Advances a sandbox job manually: one step, or directly to `target`. Does not wait for its rendering. The automatic
 * steps pause afterwards. Throws NOT_FOUND, or CONFLICT when the job is final or the target is not ahead.
 */
export async function simulateMailJob(
  owner: Owner,
  mailJobId: string,
  target: MailStatus | undefined,
  { sandbox, hints, mailCommitter }: SimulateDeps,
  at: Date,
): Promise<Simulated> {
  const failure = target === 'failed' ? { failure: simulated } : {};
  const move = { mailJobId, owner, target, ...failure, by: 'sender', nextStepDelayS: sandbox.pauseS } as const;
  const work = () => advanceItems(move, at);
  // Exclusive: a refund and a group commit that debits the same wallet would abort each other.
  const { job, previousStatus, eventId } = await (target === 'failed' ? mailCommitter.runExclusive(work) : work());
  if (eventId !== null) hints.notify('fan-out', [eventId]);

  return { mailJobId, previousStatus, status: job.status };
}
