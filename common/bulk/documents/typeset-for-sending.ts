import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { readVersion } from '#common/templates/read-templates.ts';
import { storeUpload } from '#common/uploads/store-upload.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import type { BulkRowRecord } from '../model/bulk-row.model.ts';
import { describeRowFault } from '../model/row-faults.ts';
import { withJobs } from '../read/read-bulk.ts';
import type { BulkSendDeps } from '../send/bulk-send-deps.ts';
import { type TypesetRow, typesetRows } from './typeset-rows.ts';

/** A row to send, with the key of its document; or why there is none. */
export type PreparedRow = { row: BulkRowRecord; s3Key: string } | { row: BulkRowRecord; error: AppError };

/** How long a letter that is never sent stays in the store, after a kill. */
const usableMs = 24 * 60 * 60 * 1000;

/**
 * Sets the letters of these rows from the template of the bulk, and stores each as an upload. Leaves out rows that are
 * mail jobs already: they are known by their externalId. Throws LIMIT_REACHED and the errors of the store.
 */
export async function typesetForSending(
  bulk: BulkRecord & { template: NonNullable<BulkRecord['template']> },
  rows: readonly BulkRowRecord[],
  deps: BulkSendDeps,
  signal: AbortSignal,
): Promise<PreparedRow[]> {
  const { organizationId, mode, template, mapping } = bulk;
  if (mapping === null) throw new Error(`Bulk ${bulk._id} has no mapping`);
  const owner = { organizationId, mode };
  const unsent = (await withJobs(bulk, rows)).flatMap(({ record, job }) => (job ? [] : [record]));
  const version = await readVersion(owner, template.templateId, template.version);
  const folder = createLazyFolder(() => makeTempFolder('bulk-letters'));

  async function store({ letter, faults }: TypesetRow, index: number): Promise<PreparedRow> {
    const row = unsent[index];
    if (!row) throw new Error('A letter without a row');
    if (!letter)
      return { row, error: new AppError('VALIDATION_ERROR', { message: faults.map(describeRowFault).join(' ') }) };
    const path = join(await folder.path(), `${row.row}.pdf`);
    await writeFile(path, letter.pdf);
    const at = deps.clock.now();
    const about = { filename: `${row.row}.pdf`, mimeType: 'application/pdf', sizeBytes: letter.pdf.length } as const;
    const { _id: s3Key } = await storeUpload(owner, { ...about, path, usableUntil: plusMs(at, usableMs) }, deps, at);
    return { row: { ...row, pages: letter.pageCount }, s3Key };
  }
  try {
    return await typesetRows(
      unsent,
      { version, mapping, zone: bulk.zone, typesetting: deps.typesetting },
      store,
      signal,
    );
  } finally {
    await folder.remove();
  }
}
