import { z } from 'zod';
import type { Page } from '../common/platform/read-page.ts';
import { lineOfText } from '../common/text.schema.ts';

/** Query parameters of every list: how many, and where the page before ended. */
export function pageQuery({ maxLimit, defaultLimit }: { maxLimit: number; defaultLimit: number }) {
  const limit = z
    .string()
    .trim()
    // A bare conversion would also take 1e1 and 0x10.
    .regex(/^[0-9]+$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(z.int().min(1).max(maxLimit))
    .default(defaultLimit)
    // In a query everything is text; what callers mean is a number.
    .meta({ documentedAs: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit } });
  const cursor = lineOfText(1_024).optional().describe('`nextCursor` of the page before, with the same filters.');
  return { limit, cursor };
}

/** The body of every list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  const nextCursor = z.string().nullable().describe('For the next page; null on the last.');
  return z.object({ data: z.array(item), hasMore: z.boolean(), nextCursor });
}

export function toPage<Row, View>(page: Page<Row>, toView: (row: Row) => View) {
  return { data: page.rows.map(toView), hasMore: page.hasMore, nextCursor: page.nextCursor };
}
