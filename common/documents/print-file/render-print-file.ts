import { mkdtemp, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createLazyFolder } from '#common/platform/process/temp-folders.ts';
import { type FileContent, measure, toPath } from '../file-content.ts';
import { limitsForFile, maxPrintFileBytes } from '../isolation/child-limits.ts';
import { DocumentError, faultOfFile } from '../isolation/document-error.ts';
import type { RenderSlots, SlotRequest } from '../isolation/render-slots.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { maxPages } from '../pdf/limits/max-pages.ts';
import { measureLetter } from '../preflight/measure-letter.ts';
import type { LetterReport } from '../preflight/page-report.ts';
import { readPrintFile } from '../sheet/read-print-file.ts';
import { joinParts, sum, tooLargeTogether } from './join-parts.ts';
import { makePart, type Part, type Render, type SourceFile } from './make-part.ts';
import { findTypeFault } from './sniff.ts';

/** The PDF that is printed: all pages in order, rebuilt. The same files give the same bytes. */
export type PrintFile = FileContent & {
  sha256: string;
  sizeBytes: number;
  pageCount: number;
  filePageCounts: number[];
  /** What was measured on its pages; null when they could not be measured. */
  report: LetterReport | null;
};

export type RenderOptions = Pick<Render, 'expectedPages' | 'warmPool' | 'signal' | 'log' | 'limitsFor'> & {
  /**
   * Returns the 1 to 20 files in print order, a repeated one as the same object. Called after the render has acquired a
   * slot: waiting renders then take neither memory nor disk space.
   */
  getFiles: () => Promise<readonly SourceFile[]>;
  /** Returns the folder of this render, every time the same. After the render it contains at most the print file. */
  makeFolder: () => Promise<string>;
  slots: RenderSlots;
  slotRequest?: SlotRequest;
  /** Most bytes of the rebuilt files together, `maxPrintFileBytes` by default. Tests set less. */
  maxBytes?: number;
};

/**
 * Renders the files of a mail job to one print file. This process reads only the first and last bytes of the files.
 * Small PDFs are rebuilt by a warm process. Every other file, and one with which the warm process had any difficulty, is
 * parsed or decoded by a child process of its own; a further child merges the rebuilt files.
 * Throws `DocumentError` when the files cannot be printed, and `SlowSlotTakenError` when `slotRequest` asks for it. Any
 * other error is not the document's fault and may be retried.
 */
export async function renderPrintFile(options: RenderOptions): Promise<PrintFile> {
  const { slots, slotRequest, getFiles, expectedPages, maxBytes = maxPrintFileBytes } = options;
  const slot = await slots.acquire(options.signal, slotRequest);
  const makeFolder = async () => await realpath(await options.makeFolder());
  const partsFolder = createLazyFolder(async () => await mkdtemp(join(await makeFolder(), 'parts-')));
  try {
    const files = await getFiles();
    await checkTypes(files);
    const organizationId = slotRequest?.owner?.organizationId ?? '';
    const render: Render = { ...options, slot, organizationId, makeFolder, makePartsFolder: partsFolder.path };
    const parts = await makeParts(render, files, maxBytes);
    if (expectedPages === null) checkTime(parts, options);
    else checkPageCount(parts, expectedPages);
    const content = await joinParts(render, parts);
    const pageCount = sum(parts.map((part) => part.pageCount));
    if (parts.length > 1)
      await requireAddressable(
        { ...content, pageCount },
        new ChildFailedError('A page of the merged file has no place.'),
      );
    const report = pageCount > maxPages ? null : await measureLetter({ ...render, file: content, pageCount });
    const filePageCounts = parts.map((part) => part.pageCount);
    return { ...content, ...(await measure(content)), pageCount, filePageCounts, report };
  } finally {
    slot.release();
    await partsFolder.remove();
  }
}

/**
 * Throws `fault` for a rebuilt file whose pages cannot be addressed: their sizes or rotations are out of range. Throws
 * ChildFailedError when it has another number of pages than it should.
 */
async function requireAddressable(file: FileContent & { pageCount: number }, fault: Error): Promise<void> {
  const structure = await readPrintFile(file, () => true).catch((cause: Error) => {
    throw Object.assign(fault, { cause });
  });
  if (structure.pageCount !== file.pageCount) throw new ChildFailedError('A file has a different number of pages.');
}

async function checkTypes(files: readonly SourceFile[]): Promise<void> {
  for (const [i, file] of files.entries()) {
    const fault = await findTypeFault(file, file.mimeType);
    if (fault) throw faultOfFile(fault, i);
  }
}

/** Rebuilds each file as one part, in order. A file that is listed several times is rebuilt once. */
async function makeParts(render: Render, files: readonly SourceFile[], maxBytes: number): Promise<Part[]> {
  const known = new Map<SourceFile, Part>();
  const parts: Part[] = [];
  for (const [i, file] of files.entries()) {
    const part = known.get(file) ?? (await offload(render, await makePart(render, file, i), [...known.values()]));
    if (!known.has(file)) await requireAddressable(part, faultOfFile('unprintable_page', i));
    known.set(file, part);
    // Checked after each file: the disk never holds much more than the limit of one mail job.
    if (sum([...known.values()].map(({ sizeBytes }) => sizeBytes)) > maxBytes) throw tooLargeTogether();
    parts.push(part);
  }
  return parts;
}

/** Most bytes of the parts of one letter in memory. Further ones are written to the disk. */
const maxPartBytesInMemory = 4 * 1024 * 1024;

async function offload(render: Render, part: Part, earlier: readonly Part[]): Promise<Part> {
  const heldBytes = sum([part, ...earlier].map((each) => ('bytes' in each ? each.sizeBytes : 0)));
  if (!('bytes' in part) || heldBytes <= maxPartBytesInMemory || earlier.length === 0) return part;
  const { pageCount, sizeBytes } = part;
  return {
    path: await toPath(part, join(await render.makePartsFolder(), `large-${earlier.length}.pdf`)),
    pageCount,
    sizeBytes,
  };
}

/** Files of unknown length had the time of the longest letter. Throws for one that needed more than this letter allows. */
function checkTime(parts: readonly Part[], { limitsFor }: Pick<RenderOptions, 'limitsFor'>): void {
  const { cpuS } = (limitsFor?.file ?? limitsForFile)(sum(parts.map(({ pageCount }) => pageCount)));
  const slow = parts.findIndex(({ cpuMs }) => (cpuMs ?? 0) > cpuS * 1_000);
  if (slow !== -1) throw faultOfFile('out_of_cpu', slow);
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
