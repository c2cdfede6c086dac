import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { UploadMimeType } from '#common/mime-types.ts';
import type { Log } from '#common/platform/process/log.ts';
import { type FileContent, measure, toPath } from '../file-content.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import { type ChildLimits, limitsForFile } from '../isolation/child-limits.ts';
import { faultOfFile } from '../isolation/document-error.ts';
import type { RenderSlot } from '../isolation/render-slots.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';
import { maxPages } from '../pdf/pdf-source.ts';
import type { WarmRequest } from '../warm/warm-frames.ts';
import { maxWarmBytes, type WarmPool, type WarmResult } from '../warm/warm-pool.ts';

/** The content of an upload. It is not yet checked. */
export type SourceFile = FileContent & { mimeType: UploadMimeType };

/** A file rebuilt as a PDF that contains only its pages. */
export type Part = FileContent & { pageCount: number; sizeBytes: number };

/** What one render works with. */
export type Render = {
  /** The number of pages that the mail job was priced for. */
  expectedPages: number;
  slot: RenderSlot;
  /** Processes for small PDFs. Without them, each file gets a process of its own. */
  warmPool: WarmPool | null;
  /** Whose files they are. */
  organizationId: string;
  /** Creates the folder of the print file, and the one for everything else, when they are first needed. */
  makeFolder: () => Promise<string>;
  makePartsFolder: () => Promise<string>;
  signal: AbortSignal;
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
  const warm = file.mimeType === 'application/pdf' && 'bytes' in file ? await rebuildWarm(render, file.bytes) : null;
  if (warm && !warm.isSample) return warm.part;

  const own = await rebuildAlone(render, file, fileIndex);
  if (warm) await compare(render, warm.part, own);
  return own;
}

type WarmPart = { part: Part; isSample: boolean };

/** Returns null when there is no warm process, or when it had any difficulty: its word about a fault does not count. */
async function rebuildWarm(render: Render, bytes: Buffer): Promise<WarmPart | null> {
  const answer = await runWarm(render, { operation: 'rebuildPdf', bytes });
  const report = childReport.safeParse({ pageCount: answer?.value });
  if (!answer || !report.success) return null;
  const { pageCount } = report.data;
  return { part: { bytes: answer.bytes, pageCount, sizeBytes: answer.bytes.length }, isSample: answer.isSample };
}

/** Passes small files to a warm process, in the slot of the render. Returns null when a process of their own is needed. */
export async function runWarm(render: Render, request: WarmRequest): Promise<WarmResult | null> {
  const { warmPool, slot, organizationId, signal } = render;
  const isTooLarge = request.bytes.length > maxWarmBytes || slot.isOverFastBudget({ cpuMs: 0, wallMs: 0 });
  if (!warmPool || isTooLarge) return null;
  const startedAtMs = performance.now();
  const answer = await warmPool.run(request, organizationId, signal);
  slot.spend({ cpuMs: null, wallMs: performance.now() - startedAtMs });
  return answer;
}

/** Stops the warm processes for good when one gave other bytes than a process of its own. */
export async function compare({ warmPool, log }: Render, warm: FileContent, own: FileContent): Promise<void> {
  const [{ sha256: warmSha256 }, { sha256 }] = [await measure(warm), await measure(own)];
  if (warmSha256 === sha256) return;
  log.error({ warmSha256, sha256 }, 'a warm document process gave another result than a process of its own');
  warmPool?.distrust();
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
    limits: (render.limitsFor?.file ?? limitsForFile)(render.expectedPages),
    signal: render.signal,
    log: render.log,
  });
  if (end.kind === 'fault') throw faultOfFile(end.fault, fileIndex);
  return { path, pageCount: readPageCount(end.result), sizeBytes: (await stat(path)).size };
}

/** Reads the report of a child. Throws `ChildFailedError` when it has no valid number of pages. */
export function readPageCount(report: unknown): number {
  const parsed = childReport.safeParse(report);
  if (!parsed.success) throw new ChildFailedError('A child reported no valid number of pages.');
  return parsed.data.pageCount;
}
