import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileContent, toPath } from '../file-content.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import { bigMergeBytes, limitsForMerge } from '../isolation/child-limits.ts';
import { DocumentError, type DocumentFault } from '../isolation/document-error.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';
import { packParts } from '../warm/parts-frame.ts';
import { runWarm } from '../warm/run-warm.ts';
import { maxWarmPages } from '../warm/warm-frames.ts';
import { maxWarmBytes, type WarmResult } from '../warm/warm-pool.ts';
import { type Part, type Render, readPageCount } from './make-part.ts';

const mergeProgram: ChildProgram = {
  entryPath: fileURLToPath(new URL('../pdf/merge.child.ts', import.meta.url)),
  permissions: 'plain',
};

/** Uses the part of a single file as the print file, and merges several parts. Throws `DocumentError`. */
export async function joinParts(render: Render, parts: readonly Part[]): Promise<FileContent> {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only) return 'bytes' in only ? { bytes: only.bytes } : await moveToPrintFile(render, only.path);

  const pageCount = sum(parts.map((part) => part.pageCount));
  const warm = await mergeWarm(render, parts);
  if (warm?.value === pageCount) return { bytes: warm.bytes };
  return { path: await mergeInOwnProcess(render, parts, pageCount) };
}

const printPath = async (render: Render) => join(await render.makeFolder(), 'print.pdf');

async function moveToPrintFile(render: Render, from: string): Promise<FileContent> {
  const path = await printPath(render);
  await rename(from, path);
  return { path };
}

/** Merges small parts in a warm process. Returns null when they need a process of their own. */
async function mergeWarm(render: Render, parts: readonly Part[]): Promise<WarmResult | null> {
  const buffers = parts.flatMap((part) => ('bytes' in part ? [part.bytes] : []));
  const pageCount = sum(parts.map((part) => part.pageCount));
  const isSmall = pageCount <= maxWarmPages && sum([...new Set(buffers)].map(({ length }) => length)) <= maxWarmBytes;
  if (!isSmall || buffers.length < parts.length) return null;
  return await runWarm(render, { operation: 'mergePdfs', bytes: packParts(buffers) });
}

/** Merges the parts in a process of their own. Returns the path of the print file. */
async function mergeInOwnProcess(render: Render, parts: readonly Part[], pageCount: number): Promise<string> {
  const path = await printPath(render);
  const folder = await render.makePartsFolder();
  const inputBytes = sum([...new Set(parts)].map(({ sizeBytes }) => sizeBytes));
  // There is one slow slot, so only one large merge runs at a time.
  if (inputBytes > bigMergeBytes) await render.slot.moveToSlow(render.signal);

  const paths = new Map<Part, string>();
  for (const part of new Set(parts)) paths.set(part, await toPath(part, join(folder, `part-${paths.size}.pdf`)));
  const end = await runInSlot(render.slot, {
    program: mergeProgram,
    args: parts.map((part) => paths.get(part) ?? ''),
    readable: [`${folder}/`],
    parentFolder: folder,
    output: { name: 'print.pdf', path },
    limits: (render.limitsFor?.merge ?? limitsForMerge)(pageCount, inputBytes),
    signal: render.signal,
    log: render.log,
  });
  if (end.kind === 'fault') throw tooLargeTogether(end.fault);
  if (readPageCount(end.result) !== pageCount) {
    throw new ChildFailedError('The merged file has a different number of pages than its parts.');
  }
  return path;
}

/** The files of a mail job are each printable, but not together. */
export function tooLargeTogether(fault?: DocumentFault): DocumentError {
  const message = 'The files together are too large to print. Reduce their images, or send them as several mail jobs.';
  return new DocumentError('FILE_UNREADABLE', message, fault && { fault });
}

/** Adds numbers up. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
