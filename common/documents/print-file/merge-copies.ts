import { constants } from 'node:fs';
import { copyFile, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Log } from '#common/platform/process/log.ts';
import { type FileContent, toPath } from '../file-content.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import { bigMergeBytes, type ChildLimits, limitsForMerge } from '../isolation/child-limits.ts';
import type { DocumentFault } from '../isolation/document-error.ts';
import type { RenderSlots, SlotRequest } from '../isolation/render-slots.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';
import { maxPages } from '../pdf/limits/max-pages.ts';

/** The copy of one recipient: a print file with what `openCopyMaker` adds. */
export type CopyToMerge = { content: FileContent; pageCount: number; sizeBytes: number };

/** Several copies in one PDF. */
export type PrintPart = {
  path: string;
  /** Pages of the file, the blank ones included. */
  pageCount: number;
  sizeBytes: number;
  /** Position of the first copy in the batch, from 1. */
  firstSequence: number;
  copyCount: number;
};

/** Most pages of a part, blank ones included, and most bytes of its copies together. */
export type PartLimits = { pages: number; bytes: number };

/** More is not allowed: the limits of the child process are sized for this. */
const largestPart: PartLimits = { pages: maxPages, bytes: bigMergeBytes };

export type MergeWork = {
  /** An existing folder for temporary files. Nothing of the merge remains in it. */
  folder: string;
  /** The slot is held while a part is merged, not while copies are read or a part is consumed. */
  slots: RenderSlots;
  /** By default the slow slot: most parts exceed the budget of a fast one. */
  slotRequest?: SlotRequest;
  signal: AbortSignal;
  log: Log;
  /** Absent: printed on both sides. */
  doubleSided?: boolean | undefined;
  /** By default, and at most, 2,000 pages and 100 MB. */
  partLimits?: PartLimits;
  /** Shorter limits for tests. */
  limitsFor?: (pages: number, inputBytes: number) => ChildLimits;
};

/**
 * Some copies cannot be merged. `fault` is null when a file is not as its copy says. The faults `out_of_time` and
 * `out_of_cpu` may be the machine's, so that a retry may succeed.
 */
export class CopiesUnmergeableError extends Error {
  override readonly name = 'CopiesUnmergeableError';
  /** Positions of the copies in the batch, from 1. The same when it is known which copy is damaged. */
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly fault: DocumentFault | null;

  constructor(range: { first: number; last: number }, fault: DocumentFault | null, reason: string) {
    const { first, last } = range;
    super(`${first === last ? `Copy ${first}` : `Copies ${first} to ${last}`} cannot be merged: ${reason}.`);
    this.firstSequence = first;
    this.lastSequence = last;
    this.fault = fault;
  }
}

const mergeProgram: ChildProgram = {
  entryPath: fileURLToPath(new URL('../pdf/merge.child.ts', import.meta.url)),
  permissions: 'plain',
};

/**
 * Merges the copies of a batch, in order, into parts to print. Every copy starts on the front of a sheet: on both sides, a
 * blank page follows a copy with an odd number of pages. A copy that exceeds the limits of a part is a part of its own, as
 * it is: nothing follows it in its file, so it needs no blank page.
 *
 * A part is merged by a child process when the part before it was consumed, and removed when the next one is asked for,
 * or when the iteration ends. This process holds one copy at a time. The file of a copy may be removed when the next copy
 * is asked for. Throws `CopiesUnmergeableError`, `ChildFailedError`, what `slots.acquire` throws, or the signal's reason.
 */
export async function* mergeCopies(
  copies: AsyncIterable<CopyToMerge>,
  work: MergeWork,
): AsyncGenerator<PrintPart, void, undefined> {
  const limits = work.partLimits ?? largestPart;
  if (limits.pages > largestPart.pages || limits.bytes > largestPart.bytes) {
    throw new RangeError(`A part has at most ${largestPart.pages} pages and ${largestPart.bytes} bytes.`);
  }
  let part: OpenPart | null = null;
  let sequence = 0;
  try {
    for await (const copy of copies) {
      work.signal.throwIfAborted();
      sequence += 1;
      if (part && exceeds(withCopy(part, copy, work), limits)) {
        yield await closePart(part, work, limits);
        await removePart(part);
        part = null;
      }
      part ??= await openPart(work.folder, sequence);
      await addCopy(part, copy, work);
    }
    if (part) yield await closePart(part, work, limits);
  } finally {
    if (part) await removePart(part);
  }
}

/** A part that copies are added to. They are stored in its folder. */
type OpenPart = {
  folder: string;
  copiesFolder: string;
  firstSequence: number;
  paths: string[];
  /** Pages of the copies together, without and with the blank ones. */
  ownPages: number;
  pages: number;
  bytes: number;
};

async function openPart(parentFolder: string, firstSequence: number): Promise<OpenPart> {
  // Resolved, because the permissions of child processes are for resolved paths.
  const folder = await realpath(await mkdtemp(join(parentFolder, 'part-')));
  const copiesFolder = join(folder, 'copies');
  await mkdir(copiesFolder);
  return { folder, copiesFolder, firstSequence, paths: [], ownPages: 0, pages: 0, bytes: 0 };
}

async function removePart({ folder }: OpenPart): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

function withCopy(part: PartLimits, copy: CopyToMerge, { doubleSided = true }: MergeWork): PartLimits {
  const blankPages = doubleSided ? copy.pageCount % 2 : 0;
  return { pages: part.pages + copy.pageCount + blankPages, bytes: part.bytes + copy.sizeBytes };
}

function exceeds({ pages, bytes }: PartLimits, limits: PartLimits): boolean {
  return pages > limits.pages || bytes > limits.bytes;
}

async function addCopy(part: OpenPart, copy: CopyToMerge, work: MergeWork): Promise<void> {
  const path = join(part.copiesFolder, `${part.paths.length}.pdf`);
  const { content } = copy;
  if ('path' in content) await copyFile(content.path, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  else await toPath(content, path);
  const size = 'path' in content ? (await stat(path)).size : content.bytes.length;
  if (size !== copy.sizeBytes) {
    const sequence = part.firstSequence + part.paths.length;
    const reason = `its file has ${size} bytes instead of ${copy.sizeBytes}`;
    throw new CopiesUnmergeableError({ first: sequence, last: sequence }, null, reason);
  }
  part.paths.push(path);
  Object.assign(part, withCopy(part, copy, work), { ownPages: part.ownPages + copy.pageCount });
}

/** Returns the part as a file, merged unless it is a copy that exceeds the limits of a part. */
async function closePart(part: OpenPart, work: MergeWork, limits: PartLimits): Promise<PrintPart> {
  const { firstSequence, paths, bytes } = part;
  const [only = ''] = paths;
  if (exceeds(part, limits)) {
    return { path: only, pageCount: part.ownPages, sizeBytes: bytes, firstSequence, copyCount: 1 };
  }
  const path = join(part.folder, 'part.pdf');
  await mergePart(part, path, work);
  // While a part is consumed, the disk holds it once.
  await rm(part.copiesFolder, { recursive: true });
  const { size } = await stat(path);
  return { path, pageCount: part.pages, sizeBytes: size, firstSequence, copyCount: paths.length };
}

async function mergePart(part: OpenPart, path: string, work: MergeWork): Promise<void> {
  const { slots, slotRequest = { pool: 'slow' }, signal, log, doubleSided = true, limitsFor = limitsForMerge } = work;
  const slot = await slots.acquire(signal, slotRequest);
  try {
    const end = await runInSlot(slot, {
      program: mergeProgram,
      args: [doubleSided ? '--fill-sheets' : '--one-side', ...part.paths],
      readable: [`${part.copiesFolder}/`],
      parentFolder: part.folder,
      output: { name: 'print.pdf', path },
      limits: limitsFor(part.pages, part.bytes),
      signal,
      log,
    });
    if (end.kind === 'fault') throw toError(part, end.fault, end.fileIndex);
    const report = z.strictObject({ pageCount: z.literal(part.pages) }).safeParse(end.result);
    if (!report.success) throw new ChildFailedError('The merged file has a different number of pages than its copies.');
  } finally {
    slot.release();
  }
}

function toError(part: OpenPart, fault: DocumentFault, fileIndex: number | undefined): CopiesUnmergeableError {
  const { firstSequence, paths } = part;
  const isKnown = fileIndex !== undefined && fileIndex < paths.length;
  const [first, last] = isKnown ? [fileIndex, fileIndex] : [0, paths.length - 1];
  const range = { first: firstSequence + first, last: firstSequence + last };
  return new CopiesUnmergeableError(range, fault, `a file is damaged or exceeds a limit (${fault})`);
}
