import { randomUUID } from 'node:crypto';
import { plusMs } from '../clock.ts';
import { type Claim, type DueRow, type DueSlot, isFree, leaseMs, readDue, unjournaled } from './due-work.ts';
import { rowsOf } from './mongo.ts';

/** Work that is due and that nobody holds, the oldest first. Whoever wants to do it claims it then. */
export async function findDueInBulk<Row extends DueRow>(
  slot: DueSlot,
  { now, limit }: { now: Date; limit: number },
): Promise<Row[]> {
  const found = await rowsOf<DueRow>(slot.collection)
    .find(dueAndFree(slot, now))
    .sort({ [`${slot.path}.at`]: 1 })
    .limit(limit)
    .toArray();
  return found as unknown as Row[];
}

/**
 * Takes work that was found due, under one token. Two processes that found the same divide it between them: each gets
 * what it was first to stamp.
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
    { _id: { $in: ids }, ...dueAndFree(slot, now) },
    {
      $set: { [`${path}.leaseToken`]: token, [`${path}.leaseUntil`]: plusMs(now, ttlMs) },
      $inc: { [`${path}.attempt`]: 1 },
    },
    unjournaled,
  );
  // Mostly nobody else looked: then what was found needs no second reading.
  const isAllOurs = modifiedCount === found.length;
  const ours = isAllOurs
    ? found
    : await collection.find({ _id: { $in: ids }, [`${path}.leaseToken`]: token }).toArray();

  return (ours as readonly DueRow[]).map((row) => {
    const { attempt, version } = readDue(row, path);
    const counted = isAllOurs ? attempt + 1 : attempt;
    return { slot, id: row._id, token, attempt: counted, version, leaseMs: ttlMs, row: row as unknown as Row };
  });
}

/** Of work that is due and that nobody holds. */
export const dueAndFree = ({ path }: DueSlot, now: Date) => ({ [`${path}.at`]: { $lte: now }, ...isFree(path, now) });

/** Ends all pieces of a bulk at once, for good, with `set` on each row. Those whose lease was lost stay as they are. */
export async function finishClaimsInBulk(claims: readonly Claim[], set: Record<string, unknown>): Promise<void> {
  const [first] = claims;
  if (!first) return;
  const { collection, path } = first.slot;
  const held = { _id: { $in: claims.map(({ id }) => id) }, [`${path}.leaseToken`]: first.token };
  await rowsOf<DueRow>(collection).updateMany(held, { $set: set, $unset: { [path]: '' as const } });
}
