import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { UploadMimeType } from '#common/mime-types.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import {
  bigMergeBytes,
  type ChildLimits,
  limitsForFile,
  limitsForMerge,
  maxPrintFileBytes,
} from '../isolation/child-limits.ts';
import { DocumentError, faultOfFile } from '../isolation/document-error.ts';
import type { RenderSlot, RenderSlots, SlotRequest } from '../isolation/render-slots.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';
import { findTypeFault } from './sniff.ts';

/** An upload on the local disk. Its content is not yet checked. */
export type SourceFile = { path: string; mimeType: UploadMimeType };

/** The PDF that is printed: all pages in order, rebuilt. The same files give the same bytes. */
export type PrintFile = {
  path: string;
  sha256: string;
  sizeBytes: number;
  pageCount: number;
  filePageCounts: number[];
};

export type RenderOptions = {
  /** 1 to 20 files in print order. */
  files: readonly SourceFile[];
  /**
   * Downloads the files to their paths; absent when they exist. Called after the render has acquired a slot: waiting
   * renders then take no disk space.
   */
  fetchFiles?: () => Promise<void>;
  /** The number of pages that the mail job was priced for. */
  expectedPages: number;
  /** An existing folder. After the render it contains the print file and nothing else of the render. */
  workDir: string;
  slots: RenderSlots;
  slotRequest?: SlotRequest;
  signal: AbortSignal;
  log: Log;
  /** Shorter limits for tests. */
  limitsFor?: { file: (pages: number) => ChildLimits; merge: (pages: number, inputBytes: number) => ChildLimits };
  /** Most bytes of the rebuilt files together, `maxPrintFileBytes` by default. Tests set less. */
  maxBytes?: number;
};

const childReport = z.strictObject({ pageCount: z.int().min(1).max(2000) });

const programs = {
  rebuildPdf: {
    entryPath: fileURLToPath(new URL('../pdf/rebuild-pdf.child.ts', import.meta.url)),
    permissions: 'plain',
  },
  imageToPage: {
    entryPath: fileURLToPath(new URL('../images/image-to-page.child.ts', import.meta.url)),
    permissions: 'nativeCode',
  },
  merge: { entryPath: fileURLToPath(new URL('../pdf/merge.child.ts', import.meta.url)), permissions: 'plain' },
} as const satisfies Record<string, ChildProgram>;

type Render = Omit<RenderOptions, 'slots' | 'slotRequest'> & { slot: RenderSlot; partsDir: string };
type Part = { path: string; pageCount: number; sizeBytes: number };

/**
 * Renders the files of a mail job to one print file. This process reads only the first and last bytes of the files. One
 * child process per file parses or decodes it; a further child merges the rebuilt files.
 * Throws `DocumentError` when the files cannot be printed, and `SlowSlotTakenError` when `slotRequest` asks for it. Any
 * other error is not the document's fault and may be retried.
 */
export async function renderPrintFile({ slots, slotRequest, ...options }: RenderOptions): Promise<PrintFile> {
  const workDir = await realpath(options.workDir);
  const slot = await slots.acquire(options.signal, slotRequest);
  const partsDir = await mkdtemp(join(workDir, 'parts-')).catch((error) => {
    slot.release();
    throw error;
  });
  try {
    await options.fetchFiles?.();
    await checkTypes(options.files);
    const render = { ...options, workDir, slot, partsDir };
    const parts = await makeParts(render);
    checkPageCount(parts, options.expectedPages);
    return await joinParts(render, parts);
  } finally {
    slot.release();
    await rm(partsDir, { recursive: true, force: true });
  }
}

async function checkTypes(files: readonly SourceFile[]): Promise<void> {
  for (const [i, file] of files.entries()) {
    const fault = await findTypeFault(file.path, file.mimeType);
    if (fault) throw faultOfFile(fault, i);
  }
}

/** Rebuilds each file as one part, in order. A file that is listed several times is rebuilt once. */
async function makeParts(render: Render): Promise<Part[]> {
  const { files, maxBytes = maxPrintFileBytes } = render;
  const known = new Map<string, Part>();
  const parts: Part[] = [];
  for (const [i, file] of files.entries()) {
    const name = `${file.mimeType} ${file.path}`;
    const part = known.get(name) ?? (await makePart(render, file, i));
    known.set(name, part);
    // Checked after each file: the disk never holds much more than the limit of one mail job.
    if (sum([...known.values()].map(({ sizeBytes }) => sizeBytes)) > maxBytes) throw tooLargeTogether();
    parts.push(part);
  }
  return parts;
}

/** Rebuilds one file as a PDF that contains only its pages. */
async function makePart(render: Render, file: SourceFile, fileIndex: number): Promise<Part> {
  const source = await realpath(file.path);
  const isPdf = file.mimeType === 'application/pdf';
  const path = join(render.partsDir, `${fileIndex}.pdf`);
  const end = await runInSlot(render.slot, {
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
  return { path, pageCount: readPageCount(end.result), sizeBytes: (await stat(path)).size };
}

function readPageCount(report: unknown): number {
  const parsed = childReport.safeParse(report);
  if (!parsed.success) throw new ChildFailedError('A child reported no valid number of pages.');
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

/** Uses the part of a single file as the print file, and merges several parts. */
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
  const inputBytes = sum([...new Set(parts)].map(({ sizeBytes }) => sizeBytes));
  const pageCount = sum(parts.map((part) => part.pageCount));
  // There is one slow slot, so only one large merge runs at a time.
  if (inputBytes > bigMergeBytes) await render.slot.moveToSlow(render.signal);

  const end = await runInSlot(render.slot, {
    program: programs.merge,
    args: parts.map((part) => part.path),
    readable: [`${render.partsDir}/`],
    parentFolder: render.partsDir,
    output: { name: 'print.pdf', path },
    limits: (render.limitsFor?.merge ?? limitsForMerge)(pageCount, inputBytes),
    signal: render.signal,
    log: render.log,
  });
  if (end.kind === 'fault') throw tooLargeTogether();
  if (readPageCount(end.result) !== pageCount) {
    throw new ChildFailedError('The merged file has a different number of pages than its parts.');
  }
}

function tooLargeTogether(): DocumentError {
  const message = 'The files together are too large to print. Reduce their images, or send them as several mail jobs.';
  return new DocumentError('FILE_UNREADABLE', message);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
