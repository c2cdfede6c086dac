import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { plusMs } from '#common/clock.ts';
import type { ChildLimits } from '#common/documents/isolation/child-limits.ts';
import { DocumentError } from '#common/documents/isolation/document-error.ts';
import { runInSlot } from '#common/documents/isolation/run-in-slot.ts';
import { renderPrintFile } from '#common/documents/print-file/render-print-file.ts';
import { hasCode } from '#common/errors.ts';
import { sha256Hex } from '#common/secrets.ts';
import { storeUpload } from '#common/uploads/store-upload.ts';
import { recordPageCounts } from '#common/uploads/upload-findings.ts';
import type { BulkCheckDeps } from '../check/bulk-check-deps.ts';
import type { CheckSlice } from '../check/check-slice.ts';
import { isTableFaultName, TableFault } from '../file/table-fault.ts';
import { tableLimits } from '../file/table-limits.ts';
import type { BulkRecord, StoredDocument } from '../model/bulk.model.ts';
import { readFrames } from './document-frames.ts';

const mib = 1024 * 1024;
const limits: ChildLimits = {
  ...{ cpuS: 60, wallMs: 120_000 },
  ...{ dataBytes: 512 * mib, fileBytes: tableLimits.unpackedBytes + 4 * mib, openFiles: 64 },
};
const entryPath = fileURLToPath(new URL('./unpack-documents.child.ts', import.meta.url));
const count = z.int().min(0).max(1_000_000_000);
const Report = z.union([
  z.strictObject({ documents: count }),
  z.object({ fault: z.string(), line: count.optional(), count: count.optional() }),
]);

/** How long an interrupted check leaves documents behind. A finished one keeps them with the bulk. */
const usableMs = 24 * 60 * 60 * 1000;

type Deps = BulkCheckDeps & { makeFolder: () => Promise<string>; slice: CheckSlice };

/**
 * Unpacks the documents of a ZIP in a fenced child process, counts their pages as rendering does, and stores those that
 * can be printed as uploads of the owner, equal ones once. Continues behind those of an earlier slice, and returns null
 * once it has ended this one. Throws TableFault and the errors of the store.
 */
export async function storeDocuments(
  { organizationId, mode }: BulkRecord,
  zipPath: string,
  deps: Deps,
  signal: AbortSignal,
): Promise<StoredDocument[] | null> {
  const folder = await deps.makeFolder();
  const unpacked = join(folder, 'documents.bin');
  const owner = { organizationId, mode };
  await unpack(zipPath, { ...deps, folder, unpacked, owner }, signal);
  const { slice } = deps;
  // Those of earlier slices. The next one finds here what this one adds, however it ends.
  const { documents } = slice.progress;
  const earlier = documents.length;
  const known = new Map<string, StoredDocument>();
  let position = 0;
  for await (const { name, bytes } of readFrames(unpacked)) {
    if (position >= tableLimits.documents) throw new TableFault('zip_too_large');
    if (position > earlier && (await slice.isOver())) {
      await slice.end({});
      return null;
    }
    const digest = sha256Hex(bytes);
    const found = documents[position] ?? known.get(digest);
    const document = found ?? (await storeDocument(name, bytes, { ...deps, owner, folder }, signal));
    known.set(digest, document);
    documents[position] = { ...document, name };
    position += 1;
  }
  return documents;
}

async function storeDocument(
  name: string,
  bytes: Buffer,
  deps: Counting,
  signal: AbortSignal,
): Promise<StoredDocument> {
  const path = join(deps.folder, 'document.pdf');
  await writeFile(path, bytes);
  const { pages, fault } = await countPages(path, deps, signal);
  if (fault !== null) return { name, s3Key: '', pages: 0, fault };
  const { owner } = deps;
  const now = deps.clock.now();
  const file = { filename: basename(name).slice(-255), mimeType: 'application/pdf', sizeBytes: bytes.length } as const;
  const toStore = { ...file, path, usableUntil: plusMs(now, usableMs) };
  const upload = await storeUpload(owner, toStore, deps, now).catch((error: unknown) => {
    throw hasCode(error, 'LIMIT_REACHED') ? new TableFault('storage_full', {}, { cause: error }) : error;
  });
  await recordPageCounts(owner, [{ s3Key: upload._id, pageCount: pages }]);
  return { name, s3Key: upload._id, pages, fault: null };
}

type Unpacking = Deps & { folder: string; unpacked: string; owner: Pick<BulkRecord, 'organizationId' | 'mode'> };

async function unpack(zipPath: string, { slots, folder, unpacked, owner, log }: Unpacking, signal: AbortSignal) {
  const slot = await slots.acquire(signal, { owner });
  try {
    const end = await runInSlot(slot, {
      program: { entryPath, permissions: 'plain' },
      args: [zipPath],
      readable: [zipPath],
      parentFolder: folder,
      output: { name: 'documents.bin', path: unpacked },
      ...{ limits, signal, log },
    });
    const report = end.kind === 'result' ? Report.safeParse(end.result) : null;
    if (!report?.success) throw new TableFault('too_hard');
    if (!('fault' in report.data)) return;
    const { fault, ...place } = report.data;
    throw new TableFault(isTableFaultName(fault) ? fault : 'too_hard', place);
  } finally {
    slot.release();
  }
}

type Counting = Deps & { folder: string; owner: Pick<BulkRecord, 'organizationId' | 'mode'> };

async function countPages(path: string, deps: Counting, signal: AbortSignal) {
  const folder = await mkdtemp(join(deps.folder, 'pages-'));
  try {
    const { pageCount } = await renderPrintFile({
      ...deps,
      signal,
      expectedPages: null,
      getFiles: async () => [{ mimeType: 'application/pdf', path }],
      makeFolder: async () => folder,
      slotRequest: { owner: deps.owner },
    });
    return { pages: pageCount, fault: null };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { pages: 0, fault: error.message.replace(/^File 1 /, '') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
