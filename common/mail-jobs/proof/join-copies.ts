import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderSlots } from '#common/documents/isolation/render-slots.ts';
import { type CopyToMerge, mergeCopies } from '#common/documents/print-file/merge-copies.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { CopyTurn } from './copy-queue.ts';
import { type CopySource, countCopyPages, findItem, openItemCopies } from './item-copy.ts';

/** Most pages and bytes of the copies in one PDF, less than what is merged at once. A single copy may have more. */
const most = { pages: 1_900, bytes: 90_000_000 };
/** More than a copy adds to a print file of a few pages. */
const addedBytes = 100_000;

/** Returns how many of the first letters go into one PDF: all, unless they are large. */
export function countJoined(letters: readonly CopySource[]): number {
  let [pages, bytes] = [0, 0];
  const end = letters.findIndex(({ printFile }, index) => {
    pages += printFile === null ? 0 : countCopyPages(printFile) + 1;
    bytes += (printFile?.sizeBytes ?? 0) + addedBytes;
    return index > 0 && (pages > most.pages || bytes > most.bytes);
  });
  return end < 0 ? letters.length : end;
}

type JoinWork = CopyTurn & { store: ObjectStore; slots: RenderSlots; log: Log };

/** Merges the copies of letters with one recipient each. A blank page follows one that would end on the front of a sheet. */
export async function joinCopies(letters: readonly CopySource[], work: JoinWork): Promise<{ path: string }> {
  const folder = await work.makeFolder();
  const path = join(folder, 'together.pdf');
  const doubleSided = letters[0]?.printFile?.doubleSided;
  for await (const part of mergeCopies(copiesOf(letters, work), { ...work, folder, doubleSided })) {
    if (part.copyCount < letters.length) throw new Error('Copies that were to be joined are too large together.');
    await rename(part.path, path);
  }
  return { path };
}

/** The print file that letters share is fetched once when they follow each other. The disk holds one, with its copies. */
async function* copiesOf(letters: readonly CopySource[], work: JoinWork): AsyncGenerator<CopyToMerge> {
  let [openedKey, folder] = ['', ''];
  let copyFor: Awaited<ReturnType<typeof openItemCopies>> | undefined;
  for (const letter of letters) {
    const { item, printFile } = findItem(letter, undefined);
    const key = JSON.stringify([printFile.s3Key, letter.sender]);
    if (copyFor === undefined || key !== openedKey) {
      if (folder !== '') await rm(folder, { recursive: true });
      const opened = await mkdtemp(join(await work.makeFolder(), 'letter-'));
      copyFor = await openItemCopies(letter, printFile, { ...work, makeFolder: async () => opened });
      folder = opened;
    }
    openedKey = key;
    const { pageCount, sizeBytes, ...content } = await copyFor(item);
    yield { content, pageCount, sizeBytes };
  }
}
