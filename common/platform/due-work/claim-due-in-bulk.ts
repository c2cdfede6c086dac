import { randomUUID } from 'node:crypto';
import { rowsOf } from '../mongo/mongo.ts';
import { dueIndexKey } from './due.schema.ts';
import {
  type Claim,
  claimDue,
  claimUpdate,
  type DueRow,
  type DueSlot,
  dueAndUnleased,
  idHint,
  isAmong,
  leaseMs,
  toClaim,
  unjournaled,
} from './due-work.ts';
import { notOfPaused, notPaused, type QueuePause } from './pauses.ts';

/** For reads that lead to effects outside the row itself: they must not see data that can be rolled back. */
export const majorityRead = { readConcern: { level: 'majority' } } as const;

/**
 * Returns the rows that are due, not leased and match `onlyIf`, oldest first, for `claimFound`. Reads majority-committed
 * data: a write that is rolled back later must have no effects.
 */
export async function findDueInBulk<Row extends DueRow>(
  slot: DueSlot,
  { now, limit, onlyIf = {} }: { now: Date; limit: number; onlyIf?: object },
): Promise<Row[]> {
  const found = await rowsOf<DueRow>(slot.collection)
    .find({ ...dueAndUnleased(slot, now), ...onlyIf }, majorityRead)
    .sort({ [`${slot.path}.at`]: 1 })
    .limit(limit)
    .hint(dueIndexKey(slot.path))
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
  const isFound = isAmong(found);
  const { modifiedCount } = await collection.updateMany(
    { ...isFound, ...dueAndUnleased(slot, now) },
    claimUpdate(slot, token, ttlMs),
    { ...idHint, ...unjournaled },
  );
  // Usually no other process competes. Then the rows need no second read.
  const ours =
    modifiedCount === found.length
      ? found
      : await collection.find({ ...isFound, [`${path}.leaseToken`]: token }, idHint).toArray();

  return (ours as readonly DueRow[]).map((row) => toClaim(slot, row, token, ttlMs));
}

export type ClaimOptions = {
  now: Date;
  ttlMs?: number;
  /** What is paused of the queue: no row of these organizations is claimed. */
  pause?: QueuePause;
};

/**
 * Claims these rows if they are due, not leased and not paused, under one token. Returns a claim or null for each, in
 * order. Of equal ids, the first gets the claim.
 */
export async function claimRows<Row extends DueRow>(
  slot: DueSlot,
  ids: readonly string[],
  { now, ttlMs = leaseMs, pause = notPaused }: ClaimOptions,
): Promise<(Claim<Row> | null)[]> {
  if (pause.isPaused) return ids.map(() => null);
  const onlyIf = notOfPaused(pause);
  const [first, ...others] = ids;
  // One command instead of two.
  if (first !== undefined && others.length === 0) return [await claimDue<Row>(slot, first, now, ttlMs, onlyIf)];
  const collection = rowsOf<DueRow>(slot.collection);
  const token = randomUUID();
  const different = [...new Set(ids)];
  const update = claimUpdate(slot, token, ttlMs);
  // One update for each row: the driver repeats them after a broken connection, but no update of many rows.
  const updates = different.map((_id) => ({
    updateOne: { filter: { _id, ...dueAndUnleased(slot, now), ...onlyIf }, update, ...idHint },
  }));
  const { modifiedCount } = await collection.bulkWrite(updates, { ordered: false, ...unjournaled });
  const isOurs = { _id: { $in: different }, [`${slot.path}.leaseToken`]: token };
  const rows = modifiedCount === 0 ? [] : await collection.find(isOurs, idHint).toArray();
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
  const isClaimed = isAmong(claims.map(({ row }) => row));
  const held = { ...isClaimed, [`${path}.leaseToken`]: first.token };
  await rowsOf<DueRow>(collection).updateMany(held, { $set: set, $unset: { [path]: '' as const } }, idHint);
}
