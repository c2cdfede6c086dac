import type { Model, ProjectionType, QueryFilter } from 'mongoose';
import type { CursorCodec, CursorScope } from '../cursor.ts';

/** One page of a list: newest first, and where the next one begins. */
export type Page<Row> = { rows: Row[]; hasMore: boolean; nextCursor: string | null };

export type PageRequest<Row> = {
  // The model's own type parameters differ from list to list and do not matter here.
  model: Pick<Model<Row>, 'find'>;
  filter: QueryFilter<Row>;
  /** Only rows whose ids are in this range. */
  ids?: { from?: string | undefined; below?: string | undefined };
  /** The index to go by, where the choice is not to be the database's. */
  hint?: Record<string, 1 | -1>;
  projection?: ProjectionType<Row>;
  /** What the cursor is bound to: route, owner and filters. */
  scope: CursorScope;
  cursors: CursorCodec;
  cursor: string | undefined;
  limit: number;
};

/**
 * Reads a page by key: ids sort by time, so a page starts below the last id of the one before, however many rows came
 * or went meanwhile, and costs the same wherever it stands in the list.
 */
export async function readPage<Row extends { _id: string }>(request: PageRequest<Row>): Promise<Page<Row>> {
  const { model, filter, ids = {}, hint, projection, scope, cursors, cursor, limit } = request;
  // The cursor is an id of the range itself, so it takes the place of the range's end.
  const below = cursor === undefined ? ids.below : cursors.open(cursor, scope);
  const range = { ...(ids.from !== undefined && { $gte: ids.from }), ...(below !== undefined && { $lt: below }) };
  const inRange = Object.keys(range).length === 0 ? {} : { _id: range };
  // One row more than asked for tells whether there is a next page.
  const query = model
    .find({ ...filter, ...inRange }, projection)
    .sort({ _id: -1 })
    .limit(limit + 1);
  const found = await (hint ? query.hint(hint) : query).lean<Row[]>();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit;

  return { rows, hasMore, nextCursor: hasMore && last ? cursors.seal(last._id, scope) : null };
}
