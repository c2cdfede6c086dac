import { z } from 'zod';
import { lineOfText } from '#common/fields/text.schema.ts';
import type { Page } from '#common/platform/mongo/read-page.ts';

/** Returns the query parameters of every list: page size, and the cursor at which the previous page ended. */
export function listPageQuery({ maxLimit, defaultLimit }: { maxLimit: number; defaultLimit: number }) {
  const limit = z
    .string()
    .trim()
    // `Number` alone would also accept 1e1 and 0x10.
    .regex(/^[0-9]+$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(z.int().min(1).max(maxLimit))
    .default(defaultLimit)
    // Query values are strings. Document what clients mean: an integer.
    .meta({ documentedAs: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit } });
  const cursor = lineOfText(1_024).optional().describe('The `nextCursor` of the previous page. Keep the same filters.');
  return { limit, cursor };
}

/** Returns the schema of the body of a list. Its name is that of the entries with `Page`. */
export function listPageOf<Item extends z.ZodType>(item: Item) {
  const nextCursor = z.string().nullable().describe('Cursor of the next page. `null` on the last page.');
  const name = z.globalRegistry.get(item)?.id;
  if (name === undefined) throw new Error('The entries of a list need a name: give their schema an id.');
  return z.object({ data: z.array(item), hasMore: z.boolean(), nextCursor }).meta({ id: `${name}Page` });
}

export function toListPage<Row, View>(page: Page<Row>, toView: (row: Row) => View) {
  return { data: page.rows.map(toView), hasMore: page.hasMore, nextCursor: page.nextCursor };
}
