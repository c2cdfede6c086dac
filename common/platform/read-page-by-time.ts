import type { Model, ProjectionType, QueryFilter } from 'mongoose';
import type { CursorCodec, CursorScope } from '../cursor.ts';
import { invalid } from '../errors.ts';
import type { Page } from './read-page.ts';

export type TimePageRequest<Row> = {
  // The model's own type parameters differ from list to list and do not matter here.
  model: Pick<Model<Row>, 'find'>;
  /** The moment that orders the list; an index ends with it and `_id`. */
  timeField: keyof Row & string;
  filter: QueryFilter<Row>;
  projection?: ProjectionType<Row>;
  /** The index to walk, where the database might think another one as good: one that sorts all rows does not scale. */
  hint?: Record<string, 1 | -1> | undefined;
  /** Moments from here on, up to but without there. */
  after?: Date | undefined;
  before?: Date | undefined;
  /** What the cursor is bound to: route, owner and filters. */
  scope: CursorScope;
  cursors: CursorCodec;
  cursor: string | undefined;
  limit: number;
};

/** Reads a page by key, newest first, of a list that can be cut by time: its rows are ordered by a moment, then by id. */
export async function readPageByTime<Row extends { _id: string }>(request: TimePageRequest<Row>): Promise<Page<Row>> {
  const { model, timeField, filter, projection, hint, after, before, cursors, cursor, limit } = request;
  const scope = { ...request.scope, after: after?.toISOString(), before: before?.toISOString() };
  const last = cursor === undefined ? null : readPosition(cursors.open(cursor, scope));
  const range = { ...(after && { $gte: after }), ...(before && { $lt: before }), ...(last && { $lte: last.at }) };
  const page = {
    ...filter,
    ...(Object.keys(range).length > 0 && { [timeField]: range }),
    // Several rows may share the moment at which the last page ended.
    ...(last && { $or: [{ [timeField]: { $lt: last.at } }, { _id: { $lt: last.id } }] }),
  } as QueryFilter<Row>;
  const query = model.find(page, projection).sort({ [timeField]: -1, _id: -1 });
  if (hint) query.hint(hint);
  const found = await query.limit(limit + 1).lean<Row[]>();
  const rows = found.slice(0, limit);
  const end = rows.at(-1);
  const hasMore = found.length > limit;
  const nextCursor = hasMore && end ? cursors.seal(`${(end[timeField] as Date).getTime()} ${end._id}`, scope) : null;

  return { rows, hasMore, nextCursor };
}

function readPosition(text: string): { at: Date; id: string } {
  const [, ms, id] = /^(\d+) (.+)$/.exec(text) ?? [];
  // The seal was right, so this was made for another kind of list.
  if (ms === undefined || id === undefined)
    throw invalid(['cursor'], 'Pass nextCursor of an earlier page of this list.');
  return { at: new Date(Number(ms)), id };
}
