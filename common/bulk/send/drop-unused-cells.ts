import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import type { BulkMapping } from '../model/bulk-fields.ts';
import { BulkRow, type BulkRowRecord } from '../model/bulk-row.model.ts';

/** Returns the indexes of the columns that letters are made of. */
export function usedColumns({ fields, variables }: BulkMapping): Set<number> {
  return new Set([...Object.values(fields).flat(), ...variables.map(({ column }) => column)]);
}

/**
 * Empties the cells of columns that no letter uses, in the rows between two ids of a confirmed bulk: their columns can no
 * longer change. One command; repeating it changes nothing.
 */
export async function dropUnusedCells(
  { mapping, header }: BulkRecord,
  { after, upTo }: { after: string; upTo: string },
): Promise<void> {
  if (mapping === null) return;
  const used = [...usedColumns(mapping)];
  if (header.every((_, column) => used.includes(column))) return;
  const kept = { $min: [{ $size: '$cells' }, Math.max(...used) + 1] };
  const cell = { $cond: [{ $in: ['$$column', used] }, { $arrayElemAt: ['$cells', '$$column'] }, ''] };
  const cells = { $map: { input: { $range: [0, kept] }, as: 'column', in: cell } };
  const between = { _id: { $gt: after, $lte: upTo } };
  await rowsOf<BulkRowRecord>(BulkRow).updateMany(between, [{ $set: { cells } }], { hint: { _id: 1 } });
}
