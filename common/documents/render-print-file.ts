import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { UploadMimeType } from '../mime-types.ts';
import type { Log } from '../platform/log.ts';
import type { ChildProgram } from './child-command.ts';
import { bigMergeBytes, type ChildLimits, limitsForFile, limitsForMerge } from './child-limits.ts';
import { DocumentError, faultOfFile } from './document-error.ts';
import type { RenderSeat, RenderSlots } from './render-slots.ts';
import { ChildFailedError } from './run-in-child.ts';
import { runInSeat } from './run-in-seat.ts';
import { findTypeFault } from './sniff.ts';

/** An upload as it lies on the local disk, not yet looked into. */
export type SourceFile = { path: string; mimeType: UploadMimeType };

/** What is printed: all pages in order in one PDF, rebuilt by us. The same files give the same bytes. */
export type PrintFile = {
  path: string;
  sha256: string;
  sizeBytes: number;
  pageCount: number;
  filePageCounts: number[];
};

export type RenderOptions = {
  /** 1 to 20 files in the order in which they are printed. */
  files: readonly SourceFile[];
  /** The pages the mail job was priced for. */
  expectedPages: number;
  /** An existing folder for this render; the print file is left in it, nothing else. */
  workDir: string;
  slots: RenderSlots;
  signal: AbortSignal;
  log: Log;
  /** For tests that want an end sooner. */
  limitsFor?: { file: (pages: number) => ChildLimits; merge: (pages: number, inputBytes: number) => ChildLimits };
};

const childReport = z.strictObject({ pageCount: z.int().min(1).max(2000) });

const programs = {
  rebuildPdf: { entryPath: fileURLToPath(new URL('./rebuild-pdf.child.ts', import.meta.url)), permissions: 'plain' },
  imageToPage: {
    entryPath: fileURLToPath(new URL('./image-to-page.child.ts', import.meta.url)),
    permissions: 'nativeCode',
  },
  merge: { entryPath: fileURLToPath(new URL('./merge.child.ts', import.meta.url)), permissions: 'plain' },
} as const satisfies Record<string, ChildProgram>;

type Render = Omit<RenderOptions, 'slots'> & { seat: RenderSeat; partsDir: string };
type Part = { path: string; pageCount: number };

/**
 * Turns a mail job's files into one print file. This process only looks at the first and last bytes of them; whatever
 * parses or decodes runs in a child per file, and the merge, in another, reads what those children rebuilt.
 * Throws `DocumentError` when the files are to blame; anything else is our failure and worth another try.
 */
export async function renderPrintFile({ slots, ...options }: RenderOptions): Promise<PrintFile> {
  for (const [i, file] of options.files.entries()) {
    const fault = await findTypeFault(file.path, file.mimeType);
    if (fault) throw faultOfFile(fault, i);
  }
  const workDir = await realpath(options.workDir);
  const seat = await slots.enter(options.signal);
  const partsDir = await mkdtemp(join(workDir, 'parts-')).catch((error) => {
    seat.leave();
    throw error;
  });
  try {
    const render = { ...options, workDir, seat, partsDir };
    const parts: Part[] = [];
    for (const [i, file] of options.files.entries()) parts.push(await makePart(render, file, i));
    checkPageCount(parts, options.expectedPages);
    return await joinParts(render, parts);
  } finally {
    seat.leave();
    await rm(partsDir, { recursive: true, force: true });
  }
}

/** One file as a PDF of its pages alone. */
async function makePart(render: Render, file: SourceFile, fileIndex: number): Promise<Part> {
  const source = await realpath(file.path);
  const isPdf = file.mimeType === 'application/pdf';
  const path = join(render.partsDir, `${fileIndex}.pdf`);
  const end = await runInSeat(render.seat, {
    program: isPdf ? programs.rebuildPdf : programs.imageToPage,
    args: isPdf ? [source] : [source, file.mimeType],
    readable: [source],
    parentFolder: render.partsDir,
    output: { name: 'part.pdf', path },
    limits: (render.limitsFor?.file ?? limitsForFile)(render.expectedPages),
    signal: render.signal,
    log: render.log,
  });
  if (end.kind === 'fault') throw faultOfFile(end.fault, fileIndex);
  return { path, pageCount: readPageCount(end.result) };
}

function readPageCount(report: unknown): number {
  const parsed = childReport.safeParse(report);
  if (!parsed.success) throw new ChildFailedError('A child reported something else than a number of pages.');
  return parsed.data.pageCount;
}

function checkPageCount(parts: readonly Part[], expectedPages: number): void {
  const filePageCounts = parts.map((part) => part.pageCount);
  const counted = sum(filePageCounts);
  if (counted === expectedPages) return;
  throw new DocumentError(
    'PAGE_COUNT_MISMATCH',
    `The mail job says ${expectedPages} pages, its files have ${counted} (${filePageCounts.join(' + ')}). ` +
      `Send it again with pages: ${counted}.`,
    { filePageCounts },
  );
}

/** A letter of one file is that file's part; otherwise the parts are joined by one more child. */
async function joinParts(render: Render, parts: readonly Part[]): Promise<PrintFile> {
  const path = join(render.workDir, 'print.pdf');
  const filePageCounts = parts.map((part) => part.pageCount);
  const [only, ...others] = parts;
  if (only && others.length === 0) await rename(only.path, path);
  else await mergeParts(render, parts, path);

  const [sha256, { size }] = await Promise.all([hashFile(path), stat(path)]);
  return { path, sha256, sizeBytes: size, pageCount: sum(filePageCounts), filePageCounts };
}

async function mergeParts(render: Render, parts: readonly Part[], path: string): Promise<void> {
  const sizes = await Promise.all(parts.map(async (part) => (await stat(part.path)).size));
  const inputBytes = sum(sizes);
  const pageCount = sum(parts.map((part) => part.pageCount));
  // One large merge at a time: there is one slow slot.
  if (inputBytes > bigMergeBytes) await render.seat.moveToSlow(render.signal);

  const end = await runInSeat(render.seat, {
    program: programs.merge,
    args: parts.map((part) => part.path),
    readable: [`${render.partsDir}/`],
    parentFolder: render.partsDir,
    output: { name: 'print.pdf', path },
    limits: (render.limitsFor?.merge ?? limitsForMerge)(pageCount, inputBytes),
    signal: render.signal,
    log: render.log,
  });
  if (end.kind === 'fault') {
    throw new DocumentError('FILE_UNREADABLE', 'The files together are too large to print. Reduce their images.');
  }
  if (readPageCount(end.result) !== pageCount) {
    throw new ChildFailedError('The merged file has another number of pages.');
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
