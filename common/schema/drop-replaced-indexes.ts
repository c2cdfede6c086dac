import { dropIndex } from '../platform/mongo/drop-index.ts';

/**
 * Indexes of earlier versions that do not begin with the shard key of their collection. Each has a successor that does,
 * and that guards the same rule: every row names the organization or wallet that its old key belongs to.
 */
export const replacedIndexes: readonly { collection: string; key: Record<string, 1> }[] = [
  { collection: 'ledger_entries', key: { key: 1 } },
  { collection: 'events', key: { subjectId: 1, kind: 1 } },
  { collection: 'deliveries', key: { eventId: 1, endpointId: 1 } },
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
