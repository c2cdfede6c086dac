import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { BulkRow, type BulkRowRecord } from '../model/bulk-row.model.ts';

/** Rows may have 400,000 characters each. */
const maxLength = 2_000_000;
const batchRows = 100;

/**
 * Returns the first rows of a filter in the order of the file: at most `limit`, and fewer when they are long, to bound the
 * memory. `hasMore`: others follow.
 */
export async function readRows(
  filter: object,
  { limit, hint }: { limit: number; hint: Record<string, 1> },
): Promise<{ rows: BulkRowRecord[]; hasMore: boolean }> {
  const rows: BulkRowRecord[] = [];
  let length = 0;
  const found = rowsOf<BulkRowRecord>(BulkRow)
    .find(filter, { hint })
    .sort({ _id: 1 })
    .limit(limit + 1)
    .batchSize(Math.min(limit + 1, batchRows));
  for await (const row of found) {
    for (const cell of row.cells) length += cell.length;
    if (rows.length === limit || (rows.length > 0 && length > maxLength)) return { rows, hasMore: true };
    rows.push(row as BulkRowRecord);
  }
  return { rows, hasMore: false };
}
