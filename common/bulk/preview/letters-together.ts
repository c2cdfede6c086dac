import { AppError, hasCode } from '#common/errors.ts';
import { bulkRowId } from '#common/ids.ts';
import { MailJob, mailListIndexes } from '#common/mail-jobs/model/mail-job.model.ts';
import type { CopySource } from '#common/mail-jobs/proof/item-copy.ts';
import { countJoined } from '#common/mail-jobs/proof/join-copies.ts';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { type BulkRowRecord, externalIdOf, rowsOfBulk } from '../model/bulk-row.model.ts';
import { readRows } from '../read/read-rows.ts';
import { findRowLetter } from './row-letter.ts';

/** Most letters that one PDF shows together. */
const maxTogether = 50;
/** Letters that are prepared at once: fewer than the checks of an owner that may wait. */
const lanes = 4;
/** Letters that a request waits for, beside those of its other lanes: rendering is not paid yet. */
const maxUnrendered = 10;
/** After this, no further letter of a request is begun. The next request finds those that are ready. */
const maxWaitMs = 20_000;

/**
 * Returns the letters of a list from a row on that are shown together, the numbers of the first and last row, those of
 * rows whose letter cannot be rendered, and where the next ones begin. Before the list is confirmed, those of rows without
 * faults; afterwards those that were sent and have a print file. Throws SERVICE_UNAVAILABLE while one is not rendered, and
 * as `findRowLetter`.
 */
export async function findLettersTogether(
  bulk: BulkRecord,
  fromRow: number,
  deps: Parameters<typeof findRowLetter>[2],
  at: Date,
) {
  const endsMs = performance.now() + maxWaitMs;
  let unrendered = 0;
  const refused: number[] = [];
  const onUnrendered = () => {
    unrendered += 1;
  };
  const find = async ({ row }: BulkRowRecord) => {
    if (performance.now() >= endsMs || unrendered >= maxUnrendered) late();
    return await findRowLetter(bulk, row, { ...deps, onUnrendered }, at).catch((error: unknown) => {
      if (!hasCode(error, 'VALIDATION_ERROR') && !hasCode(error, 'CONFLICT')) throw error;
      refused.push(row);
      return null;
    });
  };
  const filter = { ...rowsOfBulk(bulk._id, bulkRowId(bulk._id, fromRow - 1)), state: 'valid' };
  const { rows, hasMore } = await readRows(filter, { limit: maxTogether, hint: { _id: 1 } });
  const found: (CopySource | null)[] =
    bulk.confirmedAt === null ? await inParallel(rows, find, lanes) : await findSent(bulk, rows);
  const shown = rows.flatMap(({ row }, index) => (found[index] ? [{ row, letter: found[index] }] : []));
  const letters = shown.map(({ letter }) => letter);
  const count = countJoined(letters);
  const nextShown = shown[count]?.row ?? null;
  const lastRow = (nextShown === null ? rows.at(-1)?.row : shown[count - 1]?.row) ?? fromRow;
  const nextRow = nextShown ?? (hasMore ? lastRow + 1 : null);
  const refusedRows = refused.filter((row) => row <= lastRow).toSorted((a, b) => a - b);
  return { letters: letters.slice(0, count), firstRow: rows[0]?.row ?? fromRow, lastRow, refusedRows, nextRow };
}

const copyFields = { externalId: 1, status: 1, items: 1, sender: 1, printFile: 1, redactedAt: 1 } as const;

/** Returns the letter of each row; null for one that is not sent, was never rendered, or whose print file is removed. */
async function findSent(bulk: BulkRecord, rows: readonly BulkRowRecord[]): Promise<(CopySource | null)[]> {
  const { organizationId, mode } = bulk;
  const filter = { organizationId, mode, externalId: { $in: rows.map(externalIdOf) } };
  const read = { limit: maxTogether, projection: copyFields, hint: mailListIndexes.externalId };
  const jobs = new Map((await findRows(MailJob, filter, read)).map((job) => [job.externalId, job]));
  return rows.map((row) => {
    const job = jobs.get(externalIdOf(row));
    if (job?.printFile === null && job.status === 'queued') late();
    const isShown = job?.printFile && !job.printFile.removedAt && !job.redactedAt;
    return isShown ? { ...job, organizationId, mode } : null;
  });
}

function late(): never {
  const message = 'Not all letters are rendered yet. Try again in a few seconds.';
  throw new AppError('SERVICE_UNAVAILABLE', { message, retryAfterS: 5 });
}
