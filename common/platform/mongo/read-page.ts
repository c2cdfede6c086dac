import type { Model, ProjectionType, QueryFilter } from 'mongoose';
import type { CursorCodec, CursorScope } from '#common/cursor.ts';
import { invalid } from '#common/errors.ts';

/** One page of a list, newest first. `nextCursor` is null on the last page. */
export type Page<Row> = { rows: Row[]; hasMore: boolean; nextCursor: string | null };

/** The page that a caller asks for. `cursor`: the `nextCursor` of the page before; absent for the first page. */
export type PageQuery = { limit: number; cursor?: string | undefined };

export type List<Row> = {
  // The other type parameters of a model differ per list and do not matter here.
  model: Pick<Model<Row>, 'find'>;
  filter: QueryFilter<Row>;
  /** The index to use, where the planner might choose a worse one. */
  hint?: Record<string, 1 | -1> | undefined;
  projection?: ProjectionType<Row>;
  /** A cursor is valid only for this route, owner and filters. */
  scope: CursorScope;
};

/** `ids`: the range of ids, from `from` inclusive to `below` exclusive. */
export type ListById<Row> = List<Row> & { ids?: { from?: string | undefined; below?: string | undefined } };

export type ListByTime<Row> = List<Row> & {
  /** The field that orders the list. An index must end with it and `_id`. */
  timeField: keyof Row & string;
  /** The time range: from `after` inclusive to `before` exclusive. */
  after?: Date | undefined;
  before?: Date | undefined;
};

/**
 * Returns one page of a list (keyset pagination): ids sort by time, so a page starts below the last id of the previous
 * one. Rows added or removed meanwhile do not shift it, and every page costs the same.
 */
export async function readPage<Row extends { _id: string }>(
  { ids = {}, ...list }: ListById<Row>,
  { limit, cursor }: PageQuery,
  cursors: CursorCodec,
): Promise<Page<Row>> {
  const { filter, scope } = list;
  // The cursor is an id within the range, so it replaces the end of the range.
  const below = cursor === undefined ? ids.below : cursors.open(cursor, scope);
  const range = { ...(ids.from !== undefined && { $gte: ids.from }), ...(below !== undefined && { $lt: below }) };
  const inRange = { ...filter, ...(Object.keys(range).length > 0 && { _id: range }) } as QueryFilter<Row>;
  const found = await find({ ...list, filter: inRange }, { _id: -1 }, limit);
  return toPage(found, limit, ({ _id }) => cursors.seal(_id, scope));
}

/** Returns one page of a list ordered by a time, then by id, newest first (keyset pagination). */
export async function readPageByTime<Row extends { _id: string }>(
  { timeField, after, before, ...list }: ListByTime<Row>,
  { limit, cursor }: PageQuery,
  cursors: CursorCodec,
): Promise<Page<Row>> {
  const scope = { ...list.scope, after: after?.toISOString(), before: before?.toISOString() };
  const last = cursor === undefined ? null : readPosition(cursors.open(cursor, scope));
  const range = { ...(after && { $gte: after }), ...(before && { $lt: before }), ...(last && { $lte: last.at }) };
  const inRange = {
    ...list.filter,
    ...(Object.keys(range).length > 0 && { [timeField]: range }),
    // Several rows may have the same time as the last row of the previous page.
    ...(last && { $or: [{ [timeField]: { $lt: last.at } }, { _id: { $lt: last.id } }] }),
  } as QueryFilter<Row>;
  const found = await find({ ...list, filter: inRange }, { [timeField]: -1, _id: -1 }, limit);
  return toPage(found, limit, (row) => cursors.seal(`${(row[timeField] as Date).getTime()} ${row._id}`, scope));
}

async function find<Row>(
  { model, filter, projection, hint }: List<Row>,
  order: Record<string, -1>,
  limit: number,
): Promise<Row[]> {
  // One extra row shows whether there is a next page.
  const query = model
    .find(filter, projection)
    .sort(order)
    .limit(limit + 1);
  return await (hint ? query.hint(hint) : query).lean<Row[]>();
}

/** Returns the page of rows that were found with `limit` and one more. `sealAfter` makes the cursor behind a row. */
export function toPage<Row>(found: readonly Row[], limit: number, sealAfter: (last: Row) => string): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit;
  return { rows, hasMore, nextCursor: hasMore && last ? sealAfter(last) : null };
}

function readPosition(text: string): { at: Date; id: string } {
  const [, ms, id] = /^(\d+) (.+)$/.exec(text) ?? [];
  // The seal is valid, so the cursor was issued for another kind of list.
  if (ms === undefined || id === undefined)
    throw invalid(['cursor'], 'Pass nextCursor of an earlier page of this list.');
  return { at: new Date(Number(ms)), id };
}
