import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { UploadMimeType } from '#common/mime-types.ts';
import type { Log } from '#common/platform/process/log.ts';
import { type FileContent, toPath } from '../file-content.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import { type ChildLimits, limitsForFile } from '../isolation/child-limits.ts';
import { faultOfFile } from '../isolation/document-error.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';
import { maxPages } from '../pdf/limits/max-pages.ts';
import { runWarm, type WarmWork } from '../warm/run-warm.ts';
import { maxWarmPages } from '../warm/warm-frames.ts';
import type { WarmResult } from '../warm/warm-pool.ts';

/** The content of an upload. It is not yet checked. */
export type SourceFile = FileContent & { mimeType: UploadMimeType };

/** A file rebuilt as a PDF that contains only its pages. */
export type Part = FileContent & {
  pageCount: number;
  sizeBytes: number;
  /** The CPU time of the process that rebuilt it; absent when that was a warm one, and null when it is not known. */
  cpuMs?: number | null;
};

/** What one render works with. */
export type Render = WarmWork & {
  /** The number of pages that the mail job was priced for. Null: any number. */
  expectedPages: number | null;
  /** Creates the folder of the print file, and the one for everything else, when they are first needed. */
  makeFolder: () => Promise<string>;
  makePartsFolder: () => Promise<string>;
  log: Log;
  /** Shorter limits for tests. */
  limitsFor?: { file: (pages: number) => ChildLimits; merge: (pages: number, inputBytes: number) => ChildLimits };
};

const childReport = z.strictObject({ pageCount: z.int().min(1).max(maxPages) });

const programs = {
  rebuildPdf: {
    entryPath: fileURLToPath(new URL('../pdf/rebuild-pdf.child.ts', import.meta.url)),
    permissions: 'plain',
  },
  imageToPage: {
    entryPath: fileURLToPath(new URL('../images/image-to-page.child.ts', import.meta.url)),
    permissions: 'nativeCode',
  },
} as const satisfies Record<string, ChildProgram>;

/** Rebuilds one file as a PDF that contains only its pages. Throws `DocumentError`. */
export async function makePart(render: Render, file: SourceFile, fileIndex: number): Promise<Part> {
  const isShort = render.expectedPages === null || render.expectedPages <= maxWarmPages;
  const isSmallPdf = file.mimeType === 'application/pdf' && 'bytes' in file && isShort;
  const warm = isSmallPdf ? await runWarm(render, { operation: 'rebuildPdf', bytes: file.bytes }) : null;
  return (warm && toPart(warm)) ?? (await rebuildAlone(render, file, fileIndex));
}

/** Returns null for an answer without a possible number of pages. */
function toPart({ value, bytes }: WarmResult): Part | null {
  const report = childReport.safeParse({ pageCount: value });
  return report.success ? { bytes, pageCount: report.data.pageCount, sizeBytes: bytes.length } : null;
}

/** Rebuilds one file in a process of its own. */
async function rebuildAlone(render: Render, file: SourceFile, fileIndex: number): Promise<Part> {
  const folder = await render.makePartsFolder();
  const source = await realpath(await toPath(file, join(folder, `${fileIndex}.source`)));
  const isPdf = file.mimeType === 'application/pdf';
  const path = join(folder, `${fileIndex}.pdf`);
  const end = await runInSlot(render.slot, {
    program: isPdf ? programs.rebuildPdf : programs.imageToPage,
    args: isPdf ? [source] : [source, file.mimeType],
    readable: [source],
    parentFolder: folder,
    output: { name: 'part.pdf', path },
    limits: (render.limitsFor?.file ?? limitsForFile)(render.expectedPages ?? maxPages),
    signal: render.signal,
    log: render.log,
  });
  if (end.kind === 'fault') throw faultOfFile(end.fault, fileIndex);
  return { path, pageCount: readPageCount(end.result), sizeBytes: (await stat(path)).size, cpuMs: end.usage.cpuMs };
}

/** Reads the report of a child. Throws `ChildFailedError` when it has no valid number of pages. */
export function readPageCount(report: unknown): number {
  const parsed = childReport.safeParse(report);
  if (!parsed.success) throw new ChildFailedError('A child reported no valid number of pages.');
  return parsed.data.pageCount;
}
