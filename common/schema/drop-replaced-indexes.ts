import { dropIndex } from '../platform/mongo/drop-index.ts';

/**
 * Indexes of earlier versions. Each has a successor that guards the same rule and begins with the organization or wallet
 * that its old key belongs to. That of batches also has the sides of the paper, where both sides are absent.
 */
export const replacedIndexes: readonly { collection: string; key: Record<string, 1> }[] = [
  { collection: 'ledger_entries', key: { key: 1 } },
  { collection: 'events', key: { subjectId: 1, kind: 1 } },
  { collection: 'deliveries', key: { eventId: 1, endpointId: 1 } },
  {
    collection: 'batches',
    key: {
      ...{ cutoffAt: 1, provider: 1, zone: 1, serviceType: 1, format: 1, window: 1, color: 1 },
      ...{ acknowledgmentReceipt: 1, part: 1 },
    },
  },
];

/**
 * Drops the replaced indexes, if they are still there. The successors must exist: at no moment is a rule unguarded.
 *
 * Safe beside processes of the previous version, which write all fields of the successors and name none of these
 * indexes in a hint. Until they end, they look up the references of top-ups without an index. They would do so for each
 * cancellation without `mailJobId_1_at_1` of `item_history`, so the next release drops that one.
 */
export async function dropReplacedIndexes(): Promise<void> {
  for (const { collection, key } of replacedIndexes) await dropIndex(collection, key);
}
