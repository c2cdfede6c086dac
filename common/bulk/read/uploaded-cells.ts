import { join } from 'node:path';
import { createRenderSlots, defaultSlotSettings } from '#common/documents/isolation/render-slots.ts';
import { toAppError } from '#common/mail-jobs/proof/to-app-error.ts';
import type { Log } from '#common/platform/process/log.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { ObjectChangedError, ObjectMissingError } from '#common/platform/s3/object-store-errors.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { countFields } from '../check/plan-mapping.ts';
import { readTable, type TableRow } from '../file/read-table.ts';
import { tableLimits } from '../file/table-limits.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { languageOf } from './read-bulk.ts';

type Uploaded = Pick<BulkRecord, 'organizationId' | 'mode' | 'file' | 'reading' | 'template'>;

/** The cells of an uploaded file. Rows are asked for in the order of the file. */
type OpenCells = { cellsOf(rows: readonly { row: number }[]): Promise<string[][]>; close(): Promise<void> };

/**
 * Opens the uploaded file of a bulk again, for the cells that its rows no longer have. Returns null once it is removed.
 * Throws SERVICE_UNAVAILABLE when too many files are read.
 */
export type UploadedCells = (bulk: Uploaded) => Promise<OpenCells | null>;

const maxWorkMs = 60_000;

/** Creates the reader of a process. Files are opened in fenced child processes; organizations share their slots fairly. */
export function createUploadedCells({ store, log }: { store: ObjectStore; log: Log }): UploadedCells {
  const slots = createRenderSlots({
    ...defaultSlotSettings,
    fastSlots: 1,
    maxWaiting: 20,
    maxWaitingPerOrganization: 5,
  });

  async function read(bulk: Uploaded, folder: string): Promise<AsyncIterator<TableRow>> {
    const { organizationId, mode, file, reading = {} } = bulk;
    const language = await languageOf(bulk);
    const path = join(folder, 'file');
    const signal = AbortSignal.timeout(maxWorkMs);
    const slot = await slots.acquire(signal, { owner: { organizationId, mode } });
    try {
      await store.getToFile({ key: file.s3Key, ifMatch: file.etag, maxBytes: tableLimits.fileBytes, path });
      const table = await readTable(path, { reading, countFields, slot, folder, language, signal, log });
      return table.rows[Symbol.asyncIterator]();
    } finally {
      slot.release();
    }
  }
  return async (bulk) => {
    const folder = createLazyFolder(() => makeTempFolder('bulk-cells'));
    try {
      return { cellsOf: createCellFinder(await read(bulk, await folder.path())), close: folder.remove };
    } catch (error) {
      await folder.remove();
      if (error instanceof ObjectMissingError || error instanceof ObjectChangedError) return null;
      throw toAppError(error);
    }
  };
}

function createCellFinder(rows: AsyncIterator<TableRow>): OpenCells['cellsOf'] {
  let last: TableRow = { row: 0, cells: [] };
  const end: TableRow = { row: Number.POSITIVE_INFINITY, cells: [] };
  return async (wanted) => {
    const found: string[][] = [];
    for (const { row } of wanted) {
      while (last.row < row) last = (await rows.next()).value ?? end;
      found.push(last.row === row ? last.cells : []);
    }
    return found;
  };
}
