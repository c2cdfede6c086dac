import type { Owner } from '#common/modes.ts';
import { idHint, isAmong } from '#common/platform/due-work/due-work.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { readLetterTimes } from '#common/sandbox-clocks/sandbox-clock.model.ts';
import { historyIdOf, ItemHistory } from '../items/item-history.model.ts';
import { returnItem } from '../items/return-item.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { SandboxSteps } from '../sandbox/item-steps.ts';

/** Copies of a sandbox job that come back. */
export type ReturningCopies = { mailJobId: string; owner: Owner } & Pick<SandboxSteps, 'returns'>;

/**
 * Lets copies of sandbox jobs come back, in one transaction. Copies that have come back already are skipped, so it can be
 * repeated. Returns the ids of the events.
 */
export async function returnSandboxItems(all: readonly ReturningCopies[], at: Date): Promise<string[]> {
  const returning = all.filter(({ returns }) => returns.length > 0);
  if (returning.length === 0) return [];
  const named = returning.map(({ mailJobId, owner: { organizationId } }) => ({ _id: mailJobId, organizationId }));
  const work = async (transaction: Transaction) => {
    const options = { limit: returning.length, session: transaction, ...idHint };
    const rows = await findRows<MailJobRecord>(MailJob, isAmong(named), options);
    const letterTime = await readLetterTimes(rows, at, transaction);
    const jobs = new Map(rows.map((row) => [row._id, row]));
    const written: { historyId: string; eventId: string; job: MailJobRecord }[] = [];
    for (const { mailJobId, returns } of returning) {
      for (const { itemId, reason } of returns) {
        const job = jobs.get(mailJobId);
        const item = job?.items.find((each) => each.itemId === itemId && !each.returned);
        if (!job || !item) continue;
        const back = { job, item, reason, by: 'sandbox', letterAt: letterTime(job) } as const;
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
