import mongoose from 'mongoose';
import type { Owner } from '#common/modes.ts';
import { createCachedReads } from '../concurrency/cached-reads.ts';
import { hasLapsed } from '../mongo/lease.model.ts';
import { rowsOf } from '../mongo/mongo.ts';
import { dueIndexKey } from './due.schema.ts';
import { type DueRow, type DueSlot, readDue } from './due-work.ts';

/** A position in the order in which due work is read. */
export type DuePosition = { at: Date; id: string };

export type DueWork = DuePosition & {
  /** Null for work that belongs to no organization. */
  organizationId: string | null;
  hintedAt: Date | null;
  isLeased: boolean;
};

type SeenRow = DueRow & { organizationId?: string; isUnleased: boolean };

const { MaxKey, MinKey } = mongoose.mongo;

/**
 * Returns at most `limit` rows of work that falls due by `until`, in the order of (`at`, id), starting behind `after`.
 * Fewer than `limit` rows mean that the end was reached. The database reads at most one row more than it returns.
 */
export async function readDueAfter(
  slot: DueSlot,
  { after, until, limit }: { after: DuePosition | null; until: Date; limit: number },
): Promise<DueWork[]> {
  // The lower bound is inclusive, so the row at `after` is read again if it still exists.
  const seen = await readSeen(slot, { from: after, until, limit: limit + 1, direction: 1 });
  const isNew = ({ id, at }: DueWork) => id !== after?.id || at.getTime() !== after.at.getTime();
  return seen.filter(isNew).slice(0, limit);
}

/** Returns at most `limit` rows of the work that falls due by `until`, latest first. */
export async function readLastDue(slot: DueSlot, { until, limit }: { until: Date; limit: number }): Promise<DueWork[]> {
  return await readSeen(slot, { from: null, until, limit, direction: -1 });
}

type Range = { from: DuePosition | null; until: Date; limit: number; direction: 1 | -1 };

async function readSeen({ collection, path }: DueSlot, { from, until, limit, direction }: Range): Promise<DueWork[]> {
  const at = `${path}.at`;
  const found = await rowsOf<SeenRow>(collection)
    .find(
      {},
      {
        // Index bounds instead of a filter: the planner cannot pick another index, and equal `at` are ordered by id.
        hint: dueIndexKey(path),
        min: from ? { [at]: from.at, _id: from.id } : { [at]: new Date(0), _id: new MinKey() },
        max: { [at]: until, _id: new MaxKey() },
        sort: { [at]: direction, _id: direction },
        limit,
        projection: {
          organizationId: 1,
          [at]: 1,
          [`${path}.hintedAt`]: 1,
          isUnleased: hasLapsed(`$${path}.leaseUntil`),
        },
      },
    )
    .toArray();
  return found.map((row) => {
    const { at: dueAt, hintedAt } = readDue(row, path);
    const organizationId = row.organizationId ?? null;
    return { id: row._id, at: dueAt, organizationId, hintedAt, isLeased: !row.isUnleased };
  });
}

/** Returns the organization of each row, by row id. Null: the row belongs to none. Missing: the row is gone. */
export async function readOrganizations(
  { collection }: DueSlot,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<SeenRow>(collection)
    .find({ _id: { $in: [...ids] } }, { projection: { organizationId: 1 } })
    .toArray();
  return new Map(rows.map(({ _id, organizationId }) => [_id, organizationId ?? null]));
}

/** Returns a function that reads who owns a row, null if there is no such row. Owners never change: it keeps them. */
export function createOwnerReader({ collection }: DueSlot): (id: string) => Promise<Owner | null> {
  const [maxAgeMs, options] = [Number.POSITIVE_INFINITY, { projection: { _id: 0, organizationId: 1, mode: 1 } }];
  const owners = createCachedReads<Owner | null>({ maxAgeMs, keepMs: (owner) => (owner ? maxAgeMs : 0) });
  return (id) => owners.get(id, () => rowsOf<DueRow & Owner>(collection).findOne({ _id: id }, options));
}
