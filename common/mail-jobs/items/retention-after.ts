import { isSettled } from '../model/lifecycle.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';

/**
 * Returns from when on the days of retention count when a change of a job at `at` settles it, and nothing for other
 * changes. They count anew from a later status. The print file of a test job has a time of its own.
 */
export function retentionAfter(
  before: MailJobRecord,
  after: MailJobRecord,
  at: Date,
): Pick<MailJobRecord, 'retention' | 'clock'> {
  if (!isSettled(after) || (after.status === before.status && isSettled(before))) return {};
  if (after.clock) return { clock: { ...after.clock, settledAt: at } };
  return { retention: { ...(after.mode === 'live' && { documentsFrom: at }), addressesFrom: at } };
}
