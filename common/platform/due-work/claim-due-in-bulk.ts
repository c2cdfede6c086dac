import { randomUUID } from 'node:crypto';
import { rowsOf } from '../mongo/mongo.ts';
import {
  type Claim,
  claimDue,
  claimUpdate,
  type DueRow,
  type DueSlot,
  dueAndUnleased,
  leaseMs,
  toClaim,
  unjournaled,
} from './due-work.ts';

/** For reads that lead to effects outside the row itself: they must not see data that can be rolled back. */
export const majorityRead = { readConcern: { level: 'majority' } } as const;

/**
 * Returns work that is due and not leased, oldest first, for `claimFound`. Reads majority-committed data: work from a
 * write that is rolled back later must leave no trace.
 */
export async function findDueInBulk<Row extends DueRow>(
  slot: DueSlot,
  { now, limit }: { now: Date; limit: number },
): Promise<Row[]> {
  const found = await rowsOf<DueRow>(slot.collection)
    .find(dueAndUnleased(slot, now), majorityRead)
    .sort({ [`${slot.path}.at`]: 1 })
    .limit(limit)
    .toArray();
  return found as unknown as Row[];
}

/**
 * Claims work that was found due, under one token, and returns the claims. When two processes find the same rows, each
 * claims those that it updates first.
 */
export async function claimFound<Row extends DueRow>(
  slot: DueSlot,
  found: readonly Row[],
  { now, ttlMs = leaseMs }: { now: Date; ttlMs?: number },
): Promise<Claim<Row>[]> {
  if (found.length === 0) return [];
  const { path } = slot;
  const collection = rowsOf<DueRow>(slot.collection);
  const token = randomUUID();
  const ids = found.map(({ _id }) => _id);
  const { modifiedCount } = await collection.updateMany(
    { _id: { $in: ids }, ...dueAndUnleased(slot, now) },
    claimUpdate(slot, token, ttlMs),
    unjournaled,
  );
  // Usually no other process competes. Then the rows need no second read.
  const ours =
    modifiedCount === found.length
      ? found
      : await collection.find({ _id: { $in: ids }, [`${path}.leaseToken`]: token }).toArray();

  return (ours as readonly DueRow[]).map((row) => toClaim(slot, row, token, ttlMs));
}

/**
 * Claims the rows with these ids that are due and not leased, under one token. Returns a claim or null for each id, in
 * order. Of equal ids, the first gets the claim.
 */
export async function claimRows<Row extends DueRow>(
  slot: DueSlot,
  ids: readonly string[],
  { now, ttlMs = leaseMs }: { now: Date; ttlMs?: number },
): Promise<(Claim<Row> | null)[]> {
  const [first, ...others] = ids;
  // One command instead of two.
  if (first !== undefined && others.length === 0) return [await claimDue<Row>(slot, first, now, ttlMs)];
  const collection = rowsOf<DueRow>(slot.collection);
  const token = randomUUID();
  const different = [...new Set(ids)];
  const update = claimUpdate(slot, token, ttlMs);
  // One update for each row: the driver repeats them after a broken connection, but no update of many rows.
  const updates = different.map((_id) => ({
    updateOne: { filter: { _id, ...dueAndUnleased(slot, now) }, update, hint: { _id: 1 } },
  }));
  const { modifiedCount } = await collection.bulkWrite(updates, { ordered: false, ...unjournaled });
  const isOurs = { _id: { $in: different }, [`${slot.path}.leaseToken`]: token };
  const rows = modifiedCount === 0 ? [] : await collection.find(isOurs, { hint: { _id: 1 } }).toArray();
  const claims = new Map(rows.map((row) => [row._id, toClaim<Row>(slot, row as DueRow, token, ttlMs)]));
  return ids.map((id) => {
    const claim = claims.get(id) ?? null;
    claims.delete(id);
    return claim;
  });
}

/** Finishes all claims of one bulk for good, and applies `set` to each row. Skips claims whose lease was lost. */
export async function finishClaimsInBulk(claims: readonly Claim[], set: Record<string, unknown>): Promise<void> {
  const [first] = claims;
  if (!first) return;
  const { collection, path } = first.slot;
  const held = { _id: { $in: claims.map(({ id }) => id) }, [`${path}.leaseToken`]: first.token };
  await rowsOf<DueRow>(collection).updateMany(held, { $set: set, $unset: { [path]: '' as const } });
}
