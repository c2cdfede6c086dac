import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';

/** Expires the lease of a due row, as if its holder had died and the lease time had passed. */
export async function expireLease({ collection, path }: DueSlot, id: string): Promise<void> {
  const { matchedCount } = await rowsOf(collection).updateOne(
    { _id: id, [`${path}.leaseToken`]: { $ne: null } },
    { $set: { [`${path}.leaseUntil`]: new Date(0) } },
  );
  if (matchedCount !== 1) throw new Error(`No lease on ${path} of ${collection}/${id}`);
}
