import { settledOnClock } from '#common/sandbox/steps/letter-moments.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import { isSettled, settlesAt } from '../rules/lifecycle.ts';

/**
 * Returns from when on the days of retention count when a change of a job at `at` decides that: a new status, or what
 * settles the job. A later status starts them again. The print file of a test job has a time of its own.
 */
export function retentionAfter(
  before: MailJobRecord,
  after: MailJobRecord,
  at: Date,
): Pick<MailJobRecord, 'retention' | 'clock'> {
  const isDecided = after.status !== before.status || (isSettled(after, at) && !isSettled(before, at));
  const from = isDecided ? settlesAt(after, at) : null;
  if (!from) return {};
  const retention = { ...(after.mode === 'live' && { documentsFrom: from }), addressesFrom: from };
  return settledOnClock(after, from) ?? { retention };
}
