import type { CursorCodec } from '#common/cursor.ts';
import { notFound } from '#common/errors.ts';
import { bulkRowId } from '#common/ids.ts';
import type { Language } from '#common/languages.ts';
import { MailJob, type MailJobRecord, mailListIndexes } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Owner } from '#common/modes.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import type { Projected } from '#common/platform/mongo/projected.ts';
import { type Page, type PageQuery, readPage } from '#common/platform/mongo/read-page.ts';
import { readVersion } from '#common/templates/read-templates.ts';
import { Bulk, type BulkRecord, bulksByOwner, maxWarnedRows } from '../model/bulk.model.ts';
import {
  type BulkRowRecord,
  type BulkRowState,
  externalIdOf,
  faultyRowsIndex,
  rowsOfBulk,
} from '../model/bulk-row.model.ts';
import { readRows } from './read-rows.ts';

/** Returns a bulk of this owner. Throws NOT_FOUND for any other. */
export async function readBulk({ organizationId, mode }: Owner, bulkId: string): Promise<BulkRecord> {
  return await Bulk.findOne({ _id: bulkId, organizationId, mode }).orFail(notFound).lean<BulkRecord>();
}

/** Returns a bulk of this organization in either mode, for pages, which people open by link. Throws NOT_FOUND. */
export async function readBulkOfAnyMode(organizationId: string, bulkId: string): Promise<BulkRecord> {
  return await Bulk.findOne({ _id: bulkId, organizationId }).orFail(notFound).lean<BulkRecord>();
}

/** Lists an owner's bulks, newest first. */
export async function listBulks(
  { organizationId, mode }: Owner,
  page: PageQuery,
  cursors: CursorCodec,
): Promise<Page<BulkRecord>> {
  const scope = { route: 'bulk', organizationId, mode };
  // The documents of a ZIP may be thousands.
  const projection = { documents: 0, checking: 0 } as const;
  return await readPage<BulkRecord>(
    { model: Bulk, filter: { organizationId, mode }, hint: bulksByOwner, projection, scope },
    page,
    cursors,
  );
}

/** A row with its mail job, once it has one. */
export type SentRow = { record: BulkRowRecord; job: RowJob | null };
const jobFields = { externalId: 1, status: 1, failure: 1, items: 1 } as const;
export type RowJob = Projected<MailJobRecord, typeof jobFields>;

/** Rows can be listed by their state; those with faults are found by an index. */
export type RowFilter = PageQuery & { state?: Exclude<BulkRowState, 'unchecked'> | undefined };

/** Lists the rows of a bulk in the order of the file, with their mail jobs. The bulk is known to be the owner's. */
export async function listRows(
  bulk: BulkRecord,
  { state, limit, cursor }: RowFilter,
  cursors: CursorCodec,
): Promise<Page<SentRow>> {
  const scope = { route: 'bulk-rows', organizationId: bulk.organizationId, mode: bulk.mode, bulkId: bulk._id, state };
  const after = cursor === undefined ? undefined : cursors.open(cursor, scope);
  const isIndexed = state === 'faulty' || state === 'refused';
  const filter = { ...(isIndexed && { bulkId: bulk._id }), ...(state && { state }), ...rowsOfBulk(bulk._id, after) };
  const { rows, hasMore } = await readRows(filter, { limit, hint: isIndexed ? faultyRowsIndex : { _id: 1 } });
  const last = rows.at(-1);
  const nextCursor = hasMore && last ? cursors.seal(last._id, scope) : null;
  return { hasMore, nextCursor, rows: await withJobs(bulk, rows) };
}

/** Returns the first rows without faults that have warnings. */
export async function readWarnedRows(bulk: BulkRecord): Promise<SentRow[]> {
  const _id = { $in: (bulk.warnedRows ?? []).map((row) => bulkRowId(bulk._id, row)) };
  const { rows } = await readRows({ _id }, { limit: maxWarnedRows, hint: { _id: 1 } });
  return await withJobs(bulk, rows);
}

/** Finds the mail jobs of rows by their externalId. At most 1,000 rows. */
export async function withJobs(bulk: BulkRecord, records: readonly BulkRowRecord[]): Promise<SentRow[]> {
  const { organizationId, mode, confirmedAt } = bulk;
  if (confirmedAt === null || records.length === 0) return records.map((record) => ({ record, job: null }));
  const filter = { organizationId, mode, externalId: { $in: records.map(externalIdOf) } };
  const jobs = await findRows(MailJob, filter, {
    limit: records.length,
    projection: jobFields,
    hint: mailListIndexes.externalId,
  });
  const byExternalId = new Map(jobs.map((job) => [job.externalId, job]));
  return records.map((record) => ({ record, job: byExternalId.get(externalIdOf(record)) ?? null }));
}

/**
 * Returns whether cancelling a confirmed bulk would do something: rows wait, or a letter can still be cancelled. Reads at
 * most its letters.
 */
export async function canStillBeCancelled(
  { _id, organizationId, mode, state }: BulkRecord,
  at: Date,
): Promise<boolean> {
  if (state === 'sending' || state === 'paused') return true;
  if (state !== 'sent') return false;
  const ofBulk = { organizationId, mode, externalId: { $gt: `${_id}:`, $lt: `${_id};` } };
  const open = mode === 'test' ? {} : { batchId: { $exists: false }, closesAt: { $gt: at } };
  const filter = { ...ofBulk, status: 'queued' as const, ...open };
  const found = await findRows(MailJob, filter, { limit: 1, projection: { _id: 1 }, hint: mailListIndexes.externalId });
  return found.length > 0;
}

/** Returns the language of numbers and dates in the letters. Without a template, they have none of the list. */
export async function languageOf({
  organizationId,
  mode,
  template,
}: Pick<BulkRecord, 'organizationId' | 'mode' | 'template'>): Promise<Language> {
  if (!template) return 'en';
  return (await readVersion({ organizationId, mode }, template.templateId, template.version)).language;
}
