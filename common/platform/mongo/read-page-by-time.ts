import type { Model, ProjectionType, QueryFilter } from 'mongoose';
import type { CursorCodec, CursorScope } from '#common/cursor.ts';
import { invalid } from '#common/errors.ts';
import type { Page } from './read-page.ts';

export type TimePageRequest<Row> = {
  // The other type parameters of a model differ per list and do not matter here.
  model: Pick<Model<Row>, 'find'>;
  /** The field that orders the list. An index must end with it and `_id`. */
  timeField: keyof Row & string;
  filter: QueryFilter<Row>;
  projection?: ProjectionType<Row>;
  /** The index to use, where the planner might choose one that has to sort all rows. */
  hint?: Record<string, 1 | -1> | undefined;
  /** The time range: from `after` inclusive to `before` exclusive. */
  after?: Date | undefined;
  before?: Date | undefined;
  /** The cursor is valid only for this route, owner and filters. */
  scope: CursorScope;
  cursors: CursorCodec;
  cursor: string | undefined;
  limit: number;
};

/** Returns one page of a list ordered by a time, then by id, newest first (keyset pagination). */
export async function readPageByTime<Row extends { _id: string }>(request: TimePageRequest<Row>): Promise<Page<Row>> {
  const { model, timeField, filter, projection, hint, after, before, cursors, cursor, limit } = request;
  const scope = { ...request.scope, after: after?.toISOString(), before: before?.toISOString() };
  const last = cursor === undefined ? null : readPosition(cursors.open(cursor, scope));
  const range = { ...(after && { $gte: after }), ...(before && { $lt: before }), ...(last && { $lte: last.at }) };
  const page = {
    ...filter,
    ...(Object.keys(range).length > 0 && { [timeField]: range }),
    // Several rows may have the same time as the last row of the previous page.
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
  // The seal is valid, so the cursor was issued for another kind of list.
  if (ms === undefined || id === undefined)
    throw invalid(['cursor'], 'Pass nextCursor of an earlier page of this list.');
  return { at: new Date(Number(ms)), id };
}
