import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileContent, toPath } from '../file-content.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import { bigMergeBytes, limitsForMerge } from '../isolation/child-limits.ts';
import { DocumentError } from '../isolation/document-error.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';
import { packParts } from '../warm/parts-frame.ts';
import type { WarmResult } from '../warm/warm-pool.ts';
import { compare, type Part, type Render, readPageCount, runWarm } from './make-part.ts';

const mergeProgram: ChildProgram = {
  entryPath: fileURLToPath(new URL('../pdf/merge.child.ts', import.meta.url)),
  permissions: 'plain',
};

/** Uses the part of a single file as the print file, and merges several parts. Throws `DocumentError`. */
export async function joinParts(render: Render, parts: readonly Part[]): Promise<FileContent> {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only && 'bytes' in only) return { bytes: only.bytes };
  const warm = only ? null : await mergeWarm(render, parts);
  if (warm && !warm.isSample) return { bytes: warm.bytes };

  const path = join(await render.makeFolder(), 'print.pdf');
  if (only) await rename(only.path, path);
  else await mergeAlone(render, parts, path);
  if (warm) await compare(render, { bytes: warm.bytes }, { path });
  return { path };
}

/** Merges small parts in a warm process. Returns null when there is none, or when it had any difficulty. */
async function mergeWarm(render: Render, parts: readonly Part[]): Promise<WarmResult | null> {
  const buffers = parts.flatMap((part) => ('bytes' in part ? [part.bytes] : []));
  if (buffers.length < parts.length) return null;
  const pageCount = sum(parts.map((part) => part.pageCount));
  const answer = await runWarm(render, { operation: 'mergePdfs', bytes: packParts(buffers) });
  return answer?.value === pageCount ? answer : null;
}

/** Merges the parts in a process of their own. */
async function mergeAlone(render: Render, parts: readonly Part[], path: string): Promise<void> {
  const folder = await render.makePartsFolder();
  const inputBytes = sum([...new Set(parts)].map(({ sizeBytes }) => sizeBytes));
  const pageCount = sum(parts.map((part) => part.pageCount));
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
  if (end.kind === 'fault') throw tooLargeTogether();
  if (readPageCount(end.result) !== pageCount) {
    throw new ChildFailedError('The merged file has a different number of pages than its parts.');
  }
}

/** The files of a mail job are each printable, but not together. */
export function tooLargeTogether(): DocumentError {
  const message = 'The files together are too large to print. Reduce their images, or send them as several mail jobs.';
  return new DocumentError('FILE_UNREADABLE', message);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
