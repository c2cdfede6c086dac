import type { Model, ProjectionType, QueryFilter } from 'mongoose';
import type { CursorCodec, CursorScope } from '#common/cursor.ts';

/** One page of a list, newest first. `nextCursor` is null on the last page. */
export type Page<Row> = { rows: Row[]; hasMore: boolean; nextCursor: string | null };

export type PageRequest<Row> = {
  // The other type parameters of a model differ per list and do not matter here.
  model: Pick<Model<Row>, 'find'>;
  filter: QueryFilter<Row>;
  /** The range of ids: from `from` inclusive to `below` exclusive. */
  ids?: { from?: string | undefined; below?: string | undefined };
  /** The index to use, where the planner might choose a worse one. */
  hint?: Record<string, 1 | -1>;
  projection?: ProjectionType<Row>;
  /** The cursor is valid only for this route, owner and filters. */
  scope: CursorScope;
  cursors: CursorCodec;
  cursor: string | undefined;
  limit: number;
};

/**
 * Returns one page of a list (keyset pagination): ids sort by time, so a page starts below the last id of the previous
 * one. Rows added or removed meanwhile do not shift it, and every page costs the same.
 */
export async function readPage<Row extends { _id: string }>(request: PageRequest<Row>): Promise<Page<Row>> {
  const { model, filter, ids = {}, hint, projection, scope, cursors, cursor, limit } = request;
  // The cursor is an id within the range, so it replaces the end of the range.
  const below = cursor === undefined ? ids.below : cursors.open(cursor, scope);
  const range = { ...(ids.from !== undefined && { $gte: ids.from }), ...(below !== undefined && { $lt: below }) };
  const inRange = Object.keys(range).length === 0 ? {} : { _id: range };
  // One extra row shows whether there is a next page.
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
