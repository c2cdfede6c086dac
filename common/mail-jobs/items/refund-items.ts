import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { moveMoney } from '#common/wallet/ledger/move-money.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import { vatOfRefund } from '../rules/vat-shares.ts';

/** The refund of one item. */
export type ItemRefund = { itemId: string; transactionId: string; amountCents: number };

/** Returns the key of the ledger entry that refunds an item. It is unique: an item is refunded once. */
const refundKeyOf = (itemId: string): string => `refund:${itemId}`;

/**
 * Refunds the shares of these items of each job, in the transaction that fails them. Returns the refunds in the order of
 * the items.
 */
export async function refundItems(
  transaction: Transaction,
  failing: readonly { job: MailJobRecord; itemIds: readonly string[] }[],
  at: Date,
): Promise<ItemRefund[]> {
  const movements = failing.flatMap(({ job, itemIds }) => {
    const { organizationId, mode, _id: mailJobId } = job;
    const items = job.items.filter(({ itemId }) => itemIds.includes(itemId));
    return items.map(({ itemId, shareCents }) => ({
      owner: { organizationId, mode },
      kind: 'refund' as const,
      amountCents: shareCents,
      key: refundKeyOf(itemId),
      mailJobId,
      itemId,
      vat: vatOfRefund(job, itemId),
    }));
  });
  if (movements.length === 0) return [];
  const entries = await moveMoney(transaction, movements, at);
  return entries.map(({ _id, itemId, amountCents }) => ({ itemId: itemId ?? '', transactionId: _id, amountCents }));
}
