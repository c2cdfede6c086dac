import { randomUUID } from 'node:crypto';
import { plusMs } from '../clock.ts';
import { type Claim, type DueRow, type DueSlot, isFree, leaseMs, readDue, unjournaled } from './due-work.ts';
import { rowsOf } from './mongo.ts';

/**
 * Takes work that is due and that nobody holds, the oldest first, at most `limit` pieces under one token. Two processes
 * that look at once divide it between them: each gets what it was first to stamp.
 */
export async function claimDueInBulk<Row extends DueRow>(
  slot: DueSlot,
  { now, limit, ttlMs = leaseMs }: { now: Date; limit: number; ttlMs?: number },
): Promise<Claim<Row>[]> {
  const { path } = slot;
  const collection = rowsOf<DueRow>(slot.collection);
  const isDue = { [`${path}.at`]: { $lte: now }, ...isFree(path, now) };
  const found = await collection
    .find(isDue)
    .sort({ [`${path}.at`]: 1 })
    .limit(limit)
    .toArray();
  if (found.length === 0) return [];
  const token = randomUUID();
  const ids = found.map(({ _id }) => _id);
  const { modifiedCount } = await collection.updateMany(
    { _id: { $in: ids }, ...isDue },
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

  return ours.map((row) => {
    const { attempt, version } = readDue(row, path);
    const counted = isAllOurs ? attempt + 1 : attempt;
    return { slot, id: row._id, token, attempt: counted, version, leaseMs: ttlMs, row: row as unknown as Row };
  });
}

/** Ends all pieces of a bulk at once, for good, with `set` on each row. Those whose lease was lost stay as they are. */
export async function finishClaimsInBulk(claims: readonly Claim[], set: Record<string, unknown>): Promise<void> {
  const [first] = claims;
  if (!first) return;
  const { collection, path } = first.slot;
  const held = { _id: { $in: claims.map(({ id }) => id) }, [`${path}.leaseToken`]: first.token };
  await rowsOf<DueRow>(collection).updateMany(held, { $set: set, $unset: { [path]: '' as const } });
}
