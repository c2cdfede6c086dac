import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CopyOptions, openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import {
  type CopyToMerge,
  type MergeWork,
  mergeCopies,
  type PrintPart,
} from '#common/documents/print-file/merge-copies.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { createLog } from '#common/platform/process/log.ts';
import { useTempFolders } from '#test/support/jest.ts';
import { itemId, recipient, sender } from './build-print-file.ts';

export type CopyInMemory = CopyToMerge & { content: { bytes: Buffer } };

export const copyOptions: CopyOptions = { scheme: envelopeSchemes['window-left'], placement: 'page', sender };

/** Returns copies of a print file for recipients with different names and items. */
export async function makeCopies(
  print: Buffer,
  count: number,
  placement: CopyOptions['placement'] = 'page',
): Promise<CopyInMemory[]> {
  const maker = await openCopyMaker({ bytes: print }, { ...copyOptions, placement });
  return Array.from({ length: count }, (_, i) => {
    const address = { ...recipient, name: `Anneke Vandenbroucke ${i}` };
    const { tail, pageCount, sizeBytes } = maker.make({ itemId: itemOf(i), address });
    return { content: { bytes: Buffer.concat([print, tail]) }, pageCount, sizeBytes };
  });
}

/** Returns the item of the copy at an index, from 0. */
export function itemOf(index: number): string {
  return `${itemId.slice(0, -4)}${String(index).padStart(4, '0')}`;
}

/** Returns the work of a merge in a folder. */
export function mergeWork(folder: string, changes: Partial<MergeWork> = {}): MergeWork {
  const { signal } = new AbortController();
  return { folder, slots: createRenderSlots(), signal, log: createLog('test', 'silent'), ...changes };
}

/** Returns a function that merges copies and keeps each part, in a folder of its own, at the path that it returns. */
export function useMerging() {
  const newFolder = useTempFolders();
  return async function merge(
    copies: Iterable<CopyToMerge> | AsyncIterable<CopyToMerge>,
    changes?: Partial<MergeWork>,
  ) {
    const [folder, kept] = [await newFolder(), await newFolder()];
    const parts: PrintPart[] = [];
    for await (const part of mergeCopies(toAsync(copies), mergeWork(folder, changes))) {
      const path = join(kept, `${parts.length}.pdf`);
      await copyFile(part.path, path);
      parts.push({ ...part, path });
    }
    return { parts, remainingFiles: await readdir(folder) };
  };
}

export async function* toAsync<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
