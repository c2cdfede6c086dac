import { join } from 'node:path';
import { findDefaultSender } from '#common/addresses/find-default-sender.ts';
import { plusMs } from '#common/clock.ts';
import { SlowSlotTakenError } from '#common/documents/isolation/render-slots.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { schemeFor } from '#common/mail-jobs/rules/scheme-for.ts';
import { type Claim, finishClaim, reloadClaim } from '#common/platform/due-work/due-work.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import {
  ObjectChangedError,
  ObjectMissingError,
  ObjectTooLargeError,
} from '#common/platform/s3/object-store-errors.ts';
import { findDocuments } from '../documents/find-documents.ts';
import { storeDocuments } from '../documents/store-documents.ts';
import { readTable, type TableFormat, type TableRow } from '../file/read-table.ts';
import { TableFault } from '../file/table-fault.ts';
import { tableLimits } from '../file/table-limits.ts';
import type { BulkFailure, BulkRecord, BulkState, StoredDocument } from '../model/bulk.model.ts';
import { keepBulkUploads, releaseBulkUploads } from '../model/bulk-uploads.ts';
import { languageOf } from '../read/read-bulk.ts';
import type { BulkCheckDeps } from './bulk-check-deps.ts';
import { checkDocument } from './check-document.ts';
import { type CheckSlice, createCheckSlice } from './check-slice.ts';
import { nameColumns } from './name-columns.ts';
import { countFields, planMapping } from './plan-mapping.ts';
import { createRowChecker, type RowChecker } from './row-checker.ts';
import { createRowCounter, inChunks, readStoredRows, removeRows, replaceRows, sizeOfRows } from './store-rows.ts';
import { peekRows, watchColumns } from './watch-columns.ts';

/** After this many claims that ended without a result, the file may be what ends the workers. */
const maxUnfinished = 5;
/** Letters of a template that are checked between two looks at the time: each is set, and may take seconds. */
const chunkTemplateRows = 4;
/** How long a bulk waits for the check of its document before it looks again. */
const documentPauseMs = 500;

/**
 * Reads the file of a bulk and checks its rows, or checks stored rows against another mapping, for a few seconds while
 * other bulks wait. Stores every row with its faults and price. A file that cannot be read fails the bulk. Any other error
 * is thrown for a retry, which starts where this claim did.
 */
export async function runBulkCheck(claim: Claim<BulkRecord>, deps: BulkCheckDeps, signal: AbortSignal): Promise<void> {
  if (claim.unfinished >= maxUnfinished) {
    deps.log.error({ bulkId: claim.id }, 'bulk failed, too many workers ended while reading it');
    const fault = new TableFault('too_hard');
    return await fail(claim, { code: 'INTERNAL', message: fault.message, fault: fault.fault }, deps);
  }
  const folder = createLazyFolder(() => makeTempFolder('bulk'));
  const slice = createCheckSlice(claim, deps);
  try {
    await check(claim, { ...deps, slots: slice.slots, slice, makeFolder: folder.path }, signal);
  } catch (error) {
    if (error instanceof SlowSlotTakenError) return await slice.end({ needsSlowSlot: true });
    const failure = failureOf(error);
    if (!failure) throw error;
    await fail(claim, failure, deps);
  } finally {
    await folder.remove();
  }
}

const noDocument = 'The letters have no document. Give files or a template: only a ZIP has documents of its own.';

type CheckDeps = BulkCheckDeps & { makeFolder: () => Promise<string>; slice: CheckSlice };
type Source = { format: TableFormat; header: string[]; rows: AsyncIterable<TableRow>; path: string | null };

async function check(claim: Claim<BulkRecord>, deps: CheckDeps, signal: AbortSignal): Promise<void> {
  const bulk = claim.row;
  const now = deps.clock.now();
  const document = await checkDocument(bulk, deps, now);
  if (document.kind === 'waiting') {
    await finishClaim(claim, { nextAt: plusMs(now, documentPauseMs) });
    return;
  }
  if (document.kind === 'faulty') {
    const { message, findings } = document;
    return await fail(claim, { code: 'DOCUMENT', message, findings }, deps);
  }

  const source = bulk.format === null ? await readFile(claim, deps, signal) : await readStored(bulk, deps);
  if (source === null) return;
  const { format, header } = source;
  if (document.pages === null && !bulk.template && format.kind !== 'zip') {
    return await fail(claim, { code: 'DOCUMENT', message: noDocument }, deps);
  }
  const { sample, rows: allRows } = await peekRows(source.rows);
  const { mapping, missing, ignored } = planMapping(bulk, format, header, sample);
  const columns = watchColumns({ header, sample, mapping, ignored, zone: bulk.zone });
  const rows = columns.watch(allRows);
  deps.slice.hasRead();
  const known = { format, header, mapping, missing, pages: document.pages, updatedAt: now };
  if (missing.length > 0 || format.likely || columns.found().undecidedColumns.length > 0) {
    const checker = createRowCounter(bulk, deps.slice.progress);
    const result = await storeRows(claim, rows, { ...deps, checker }, signal);
    const unpriced = { totalCents: null, prices: [] };
    if (result) await finish(claim, 'needs_mapping', { ...known, ...columns.found(), ...result, ...unpriced });
    return;
  }
  const sender = bulk.sender ?? (await findDefaultSender(bulk)).address;
  const stored = await findStored(claim, source, deps, signal);
  if (stored === null) return;
  const documentsOf = await findDocuments(bulk, { document, stored, mapping }, deps, signal);
  const scheme = envelopeSchemes[schemeFor(bulk.serviceType, deps.envelopeWindow)];
  const before = deps.slice.progress;
  const checker = createRowChecker({
    ...{ bulk, mapping, scheme, sender, documentsOf, before, at: now },
    ...{ language: await languageOf(bulk), isSpreadsheet: format.kind === 'xlsx' },
  });
  const result = await storeRows(claim, rows, { ...deps, checker }, signal);
  if (!result) return;
  const found = columns.found();
  const checked = result.counts.faulty > 0 ? 'needs_attention' : 'ready';
  await finish(claim, found.undecidedColumns.length > 0 ? 'needs_mapping' : checked, { ...known, ...found, ...result });
}

/** Stores the rows as checked, behind those of earlier slices. Returns null once it has ended this slice. */
async function storeRows(
  { row: bulk }: Claim<BulkRecord>,
  rows: AsyncIterable<TableRow>,
  { slice, checker }: CheckDeps & { checker: RowChecker },
  signal: AbortSignal,
): Promise<(ReturnType<RowChecker['result']> & { rowBytes: number }) | null> {
  let { upToRow } = slice.progress;
  let rowBytes = 0;
  for await (const chunk of inChunks(rows, bulk.template ? chunkTemplateRows : undefined)) {
    signal.throwIfAborted();
    rowBytes += sizeOfRows(chunk);
    checker.recall(chunk.filter(({ row }) => row <= upToRow));
    const unchecked = chunk.filter(({ row }) => row > upToRow);
    const last = unchecked.at(-1);
    if (last === undefined) continue;
    if (upToRow > slice.progress.upToRow && (await slice.isOver())) {
      const { counts, warnedRows, prices, overview } = checker.result();
      await slice.end({ upToRow, counts, warnedRows, prices, overview });
      return null;
    }
    await replaceRows(bulk, await checker.check(unchecked));
    upToRow = last.row;
  }
  const result = checker.result();
  if (result.counts.rows === 0) throw new TableFault('empty');
  return { ...result, rowBytes };
}

/**
 * Returns the documents of a ZIP, which are stored once. Null when the lease was lost, the bulk was cancelled, or
 * the slice has ended.
 */
async function findStored(
  claim: Claim<BulkRecord>,
  { format, path }: Source,
  deps: CheckDeps,
  signal: AbortSignal,
): Promise<StoredDocument[] | null> {
  const { documents, template, files } = claim.row;
  const hasOwn = format.kind === 'zip' && !template && files.length === 0;
  if (documents !== undefined || !hasOwn || path === null) return documents ?? [];
  const stored = await storeDocuments(claim.row, path, deps, signal);
  if (stored === null) return null;
  const kept = await reloadClaim(claim, { set: { documents: stored }, onlyIf: { state: 'validating' } });
  if (kept?.row.documents === undefined) return null;
  await keepBulkUploads(kept.row, deps.clock.now());
  return stored;
}

/** Returns the rows of the file. Null when the lease was lost. */
async function readFile(claim: Claim<BulkRecord>, deps: CheckDeps, signal: AbortSignal): Promise<Source | null> {
  const { store, slots, log, slice } = deps;
  const { organizationId, mode, file, reading = {} } = claim.row;
  const language = await languageOf(claim.row);
  const folder = await deps.makeFolder();
  const path = join(folder, 'file');
  const slot = await slots.acquire(signal, { owner: { organizationId, mode } });
  try {
    await store.getToFile({ key: file.s3Key, ifMatch: file.etag, maxBytes: tableLimits.fileBytes, path });
    const work = { reading, countFields, slot, folder, language, signal, log };
    const { format, header, rows } = await readTable(path, work);
    // After the lease, the rows are those of another worker, or are being sent.
    if (!(await reloadClaim(claim))) return null;
    // What a worker that died has stored behind the last slice.
    await removeRows(claim.id, slice.progress.upToRow);
    return { format, header: nameColumns(header.cells), rows, path };
  } finally {
    slot.release();
  }
}

async function readStored(bulk: BulkRecord, { store, makeFolder }: CheckDeps): Promise<Source> {
  const { format, header, file, documents } = bulk;
  if (format === null) throw new Error(`Bulk ${bulk._id} has not been read`);
  const source = { format, header, rows: readStoredRows(bulk._id) };
  if (format.kind !== 'zip' || documents) return { ...source, path: null };
  const path = join(await makeFolder(), 'file');
  await store.getToFile({ key: file.s3Key, ifMatch: file.etag, maxBytes: tableLimits.fileBytes, path });
  return { ...source, path };
}

/** Returns false for a bulk that was cancelled meanwhile, or that another worker has: it keeps its state. */
async function finish(claim: Claim<BulkRecord>, state: BulkState, set: Partial<BulkRecord>): Promise<boolean> {
  return await finishClaim(claim, { set: { ...set, state, checking: null }, onlyIf: { state: 'validating' } });
}

async function fail(
  claim: Claim<BulkRecord>,
  failure: BulkFailure,
  { clock }: Pick<BulkCheckDeps, 'clock'>,
): Promise<void> {
  const now = clock.now();
  // First: without the lease, the rows are those of another worker, or are being sent.
  if (!(await finish(claim, 'failed', { failure, completedAt: now, updatedAt: now }))) return;
  await removeRows(claim.id);
  await releaseBulkUploads(claim.row, now);
}

function failureOf(error: unknown): BulkFailure | null {
  if (error instanceof TableFault) {
    return { code: 'FILE', message: error.message, fault: error.fault, ...error.place };
  }
  const isGone = [ObjectChangedError, ObjectMissingError, ObjectTooLargeError].some((kind) => error instanceof kind);
  if (!isGone) return null;
  return { code: 'FILE', message: 'The file was changed or removed after the bulk was created. Upload it again.' };
}
