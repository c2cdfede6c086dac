import type { Snapshot } from '../platform/snapshot.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';

/** What a mail job has moved. */
export type MailMovement = Pick<
  LedgerEntryRecord,
  '_id' | 'walletId' | 'kind' | 'amountCents' | 'key' | 'mailJobId' | 'itemId'
>;

/** Every movement of these mail jobs, as it stood at the moment of the snapshot, by mail job. */
export async function readMovements(
  snapshot: Snapshot,
  mailJobIds: readonly string[],
): Promise<Map<string, MailMovement[]>> {
  const entries = await LedgerEntry.find({ mailJobId: { $in: mailJobIds } })
    .select({ walletId: 1, kind: 1, amountCents: 1, key: 1, mailJobId: 1, itemId: 1 })
    .session(snapshot)
    .lean<MailMovement[]>();
  return Map.groupBy(entries, ({ mailJobId }) => mailJobId ?? '');
}
