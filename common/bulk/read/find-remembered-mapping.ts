import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { planMapping } from '../check/plan-mapping.ts';
import { Bulk, type BulkRecord, bulksByOwner } from '../model/bulk.model.ts';
import type { BulkMapping } from '../model/bulk-fields.ts';

/** The latest lists of an owner that are looked at. Older choices are forgotten. */
export const maxRemembered = 200;

export type RememberedMapping = { mapping: BulkMapping; ignoredColumns: string[]; at: Date };

/**
 * Returns the columns that were chosen for the owner's last list with exactly the same heading, if they are others than
 * those of this one. Only a page proposes them, and a person accepts them. Null for a list whose columns were chosen.
 */
export async function findRememberedMapping(bulk: BulkRecord): Promise<RememberedMapping | null> {
  const { organizationId, mode, header, format, wantedMapping } = bulk;
  if (format === null || wantedMapping !== null || bulk.ignoredColumns !== undefined) return null;
  const isSame = { header: { $eq: header }, wantedMapping: { $ne: null }, missing: { $size: 0 } };
  const [last] = await rowsOf<BulkRecord>(Bulk)
    .aggregate<Pick<BulkRecord, 'wantedMapping' | 'ignoredColumns' | 'updatedAt'>>(
      [
        { $match: { organizationId, mode } },
        { $sort: { _id: -1 } },
        { $limit: maxRemembered },
        { $match: isSame },
        { $limit: 1 },
        { $project: { wantedMapping: 1, ignoredColumns: 1, updatedAt: 1 } },
      ],
      { hint: bulksByOwner },
    )
    .toArray();
  if (last === undefined) return null;
  const { mapping } = planMapping({ ...bulk, wantedMapping: last.wantedMapping }, format, header, []);
  const ignoredColumns = last.ignoredColumns ?? [];
  const keyOf = (used: BulkMapping | null) => JSON.stringify([used?.fields, used?.variables, used?.defaultCountry]);
  const isInUse = keyOf(mapping) === keyOf(bulk.mapping);
  return isInUse && (bulk.undecidedColumns ?? []).length === 0 ? null : { mapping, ignoredColumns, at: last.updatedAt };
}
