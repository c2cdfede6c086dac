import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { ReturnReason } from '#common/mail-jobs/model/returned.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { type MarkedReturn, markReturned } from '#common/production/returns/mark-returned.ts';

/** Posts a letter without a press, and lets its first item come back, or that with this index. */
export async function comeBack(
  mailJobId: string,
  { hints }: { hints: Hints },
  { reason = 'moved', index = 0, at = new Date() }: { reason?: ReturnReason; index?: number; at?: Date } = {},
): Promise<MarkedReturn> {
  const posted = { status: 'posted', 'items.$[].status': 'posted', batchId: newId('bat'), due: {} };
  const job = await MailJob.findByIdAndUpdate(mailJobId, { $set: posted }).orFail().lean<MailJobRecord>();
  const itemId = job.items[index]?.itemId ?? '';
  return await markReturned({ itemId, reason, by: undefined }, { hints, at });
}
