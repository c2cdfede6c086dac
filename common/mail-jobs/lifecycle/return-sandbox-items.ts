import { findRow } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { readLetterTimes } from '#common/sandbox-clocks/sandbox-clock.model.ts';
import { historyIdOf, ItemHistory } from '../items/item-history.model.ts';
import { returnItem } from '../items/return-item.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { SandboxSteps } from '../sandbox/item-steps.ts';

/**
 * Lets copies of a sandbox job come back. Copies that have come back already are skipped, so it can be repeated. Returns
 * the ids of the events.
 */
export async function returnSandboxItems(
  mailJobId: string,
  returns: SandboxSteps['returns'],
  at: Date,
): Promise<string[]> {
  if (returns.length === 0) return [];
  const work = async (transaction: Transaction) => {
    const job = await findRow<MailJobRecord>(MailJob, { _id: mailJobId }, { session: transaction });
    const letterTime = await readLetterTimes(job ? [job] : [], at, transaction);
    const written: { historyId: string; eventId: string }[] = [];
    for (const { itemId, reason } of returns) {
      const item = job?.items.find((each) => each.itemId === itemId && !each.returned);
      if (!job || !item) continue;
      const { eventId } = await returnItem(
        transaction,
        { job, item, reason, by: 'sandbox', letterAt: letterTime(job) },
        at,
      );
      written.push({ historyId: historyIdOf({ itemId, kind: 'returned' }), eventId });
    }
    return written;
  };
  const written = await inTransaction(work, {
    isStored: async (transaction, [first]) =>
      first !== undefined && (await isInserted(transaction, ItemHistory, first.historyId)),
  });
  return written.map(({ eventId }) => eventId);
}
