import { historyIdOf, ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { returnItem } from '#common/mail-jobs/items/return-item.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Owner } from '#common/modes.ts';
import { idHint, isAmong } from '#common/platform/due-work/due-work.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { SandboxSteps } from '../steps/sandbox-steps.ts';

/**
 * Lets copies of sandbox jobs come back, in one transaction. Copies that have come back already are skipped, so it can be
 * repeated. Returns the ids of the events.
 */
export async function returnSandboxItems(
  all: readonly ({ mailJobId: string; owner: Owner } & Pick<SandboxSteps, 'returns'>)[],
  at: Date,
): Promise<string[]> {
  const returning = all.filter(({ returns }) => returns.length > 0);
  if (returning.length === 0) return [];
  const named = returning.map(({ mailJobId, owner: { organizationId } }) => ({ _id: mailJobId, organizationId }));
  const work = async (transaction: Transaction) => {
    const options = { limit: returning.length, session: transaction, ...idHint };
    const rows = await findRows<MailJobRecord>(MailJob, isAmong(named), options);
    const jobs = new Map(rows.map((row) => [row._id, row]));
    const written: { historyId: string; eventId: string; job: MailJobRecord }[] = [];
    for (const { mailJobId, returns } of returning) {
      for (const { itemId, reason } of returns) {
        const job = jobs.get(mailJobId);
        const item = job?.items.find((each) => each.itemId === itemId && !each.returned);
        if (!job || !item) continue;
        const back = { job, item, reason, by: 'sandbox' } as const;
        const { job: after, eventId } = await returnItem(transaction, back, at);
        jobs.set(mailJobId, after);
        written.push({ historyId: historyIdOf({ itemId, kind: 'returned' }), eventId, job });
      }
    }
    return written;
  };
  const written = await inTransaction(work, {
    isStored: async (transaction, [first]) =>
      first !== undefined && (await isInserted(transaction, ItemHistory, first.historyId, first.job)),
  });
  return written.map(({ eventId }) => eventId);
}
