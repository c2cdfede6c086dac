// Level: ci
import { readFileSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CopyToMerge } from '#common/documents/print-file/merge-copies.ts';
import { plainPrintFile } from '#test/support/documents/addressing/build-print-file.ts';
import { readSheetMark } from '#test/support/documents/addressing/read-sheet-mark.ts';
import { itemOf, makeCopies, useMerging } from '#test/support/documents/addressing/use-merging.ts';
import { drawGrey, type GreyPage } from '#test/support/documents/draw-grey.ts';
import { drawing, helvetica, pagesPdf } from '#test/support/documents/golden/build-golden.ts';
import { goldenCorpus } from '#test/support/documents/golden/golden-corpus.ts';
import { rebuildHere } from '#test/support/documents/golden/rebuild-here.ts';
import { describe, expect, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';

const isBlank = ({ pixels }: GreyPage) => pixels.every((level) => level === 255);
/** A page of A4 at 50 dpi. */
const a4Pixels = { width: 414, height: 585 };

/** Draws the merged copies, and each copy alone with its blank page: null. */
async function drawBoth(path: string, copies: readonly { content: { bytes: Buffer } }[]) {
  const alone: (GreyPage | null)[] = [];
  for (const { content } of copies) {
    const pages = await drawGrey(content.bytes);
    alone.push(...pages, ...(pages.length % 2 === 1 ? [null] : []));
  }
  return { merged: await drawGrey(await readFile(path)), alone };
}

/** Returns the indexes of the pages that look different. */
function findDifferences(merged: readonly GreyPage[], alone: readonly (GreyPage | null)[]): number[] {
  return [...alone.entries()].flatMap(([index, page]) => {
    const drawn = merged[index]!;
    const { width, height } = drawn;
    const isSame = page ? drawn.pixels.equals(page.pixels) : isBlank(drawn) && width === a4Pixels.width;
    return isSame && height === (page ?? a4Pixels).height ? [] : [index];
  });
}

describe('the merged copies of a batch', () => {
  const merge = useMerging();
  const test = testWithPrograms('pdftoppm');

  test('have all pages in order, the addresses and marks too, and blank backs after odd copies', async () => {
    const odd = plainPrintFile(3);
    const copies = [
      ...(await makeCopies(odd, 2)),
      ...(await makeCopies(plainPrintFile(1), 1, 'cover')),
      ...(await makeCopies(plainPrintFile(2), 1, 'none')),
      ...(await makeCopies(plainPrintFile(1), 1)),
      ...(await makeCopies(odd, 3)).slice(2),
    ];
    const { parts, remainingFiles } = await merge(copies);
    const [part] = parts;
    expect(parts).toEqual([
      { path: part?.path, pageCount: 20, sizeBytes: (await stat(part!.path)).size, firstSequence: 1, copyCount: 6 },
    ]);
    expect(remainingFiles).toEqual([]);

    const { merged, alone } = await drawBoth(part!.path, copies);
    expect(merged).toHaveLength(20);
    expect(findDifferences(merged, alone)).toEqual([]);
    // The second page of a cover has nothing on it either.
    expect([...merged.entries()].flatMap(([i, page]) => (isBlank(page) ? [i] : []))).toEqual([3, 7, 9, 11, 15, 19]);
    // Copies of one letter share their pages' content, not their addresses.
    expect(merged[0]!.pixels.equals(merged[4]!.pixels)).toBe(false);
    expect(merged[1]).toEqual(merged[5]);
  });

  test('on one side, they follow each other without blank pages', async () => {
    const { parts } = await merge(await makeCopies(plainPrintFile(3), 2), { doubleSided: false });
    expect(parts).toMatchObject([{ pageCount: 6, copyCount: 2 }]);
    const { length } = await drawGrey(await readFile(parts[0]!.path));
    expect(length).toBe(6);
  });

  test('have sheet marks that read back, one on each front', async () => {
    const dotsPerInch = 200;
    const { parts } = await merge(await makeCopies(plainPrintFile(3), 2));
    const pages = await drawGrey(await readFile(parts[0]!.path), dotsPerInch);
    const marks = await Promise.all(pages.map((page) => readSheetMark(page, dotsPerInch)));
    const markOf = (index: number, sheet: number) => `BJ1 ${itemOf(index).toUpperCase()} ${sheet}/2`;
    const [one, other] = [0, 1].map((i) => [markOf(i, 1), null, markOf(i, 2), null]);
    expect(marks).toEqual([...one!, ...other!]);
  });

  test('look as each copy alone on the golden corpus, two copies of each file', async () => {
    const copies = [];
    for (const { bytes, pages } of goldenCorpus) copies.push(...(await makeCopies(await rebuildHere(bytes, pages), 2)));
    const { parts } = await merge(copies);
    expect(parts).toHaveLength(1);
    const { merged, alone } = await drawBoth(parts[0]!.path, copies);
    expect(merged).toHaveLength(alone.length);
    expect(findDifferences(merged, alone)).toEqual([]);
  });
});

describe('the resources of a letter', () => {
  const merge = useMerging();
  const marker = 'A stream that the copies share';
  const print = async (text: string) =>
    await rebuildHere(pagesPdf([{ content: `${drawing()}\n% ${text}`, resources: helvetica }]));
  const countOf = (path: string, text: string) => readFileSync(path, 'latin1').split(text).length - 1;

  test('are stored once for all of its copies, in any order of letters', async () => {
    const [one, other] = [await makeCopies(await print(marker), 3), await makeCopies(await print(`${marker}!`), 3)];
    const { parts } = await merge(one.flatMap((copy, i) => [copy, other[i]!]));
    expect(parts[0]?.copyCount).toBe(6);
    expect(countOf(parts[0]!.path, marker)).toBe(2);
    expect(countOf(parts[0]!.path, `${marker}!`)).toBe(1);
  });
});

describe('copies on the disk', () => {
  const merge = useMerging();
  const newFolder = useTempFolders();

  test('give the same bytes, and may be removed when the next one is asked for', async () => {
    const copies = await makeCopies(plainPrintFile(3), 4);
    const folder = await newFolder();
    async function* onDisk(): AsyncGenerator<CopyToMerge> {
      const path = join(folder, 'copy.pdf');
      for (const { content, ...copy } of copies) {
        await writeFile(path, content.bytes);
        yield { ...copy, content: { path } };
        await rm(path);
      }
    }
    const partLimits = { pages: 8, bytes: 1_000_000 };
    const [inMemory, stored] = [await merge(copies, { partLimits }), await merge(onDisk(), { partLimits })];
    expect(stored.parts).toHaveLength(2);
    const bytesOf = ({ parts }: typeof stored) => parts.map(({ path }) => readFileSync(path));
    expect(bytesOf(stored)).toEqual(bytesOf(inMemory));
  });
});
