// Level: ci
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import { limitsForMerge } from '#common/documents/isolation/child-limits.ts';
import { CopiesUnmergeableError, type CopyToMerge, mergeCopies } from '#common/documents/print-file/merge-copies.ts';
import { buildPrintFile, plainPrintFile, recipient } from '#test/support/documents/addressing/build-print-file.ts';
import {
  copyOptions,
  itemOf,
  makeCopies,
  mergeWork,
  toAsync,
  useMerging,
} from '#test/support/documents/addressing/use-merging.ts';
import { describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { heldBytes } from '#test/support/processes/held-bytes.ts';

const plenty = 1_000_000;

describe('the parts of a batch', () => {
  const merge = useMerging();

  /** Returns first sequence, copies and pages of each part. */
  async function split(copies: readonly CopyToMerge[], pages: number, bytes = plenty): Promise<number[][]> {
    const { parts, remainingFiles } = await merge(copies, { partLimits: { pages, bytes } });
    expect(remainingFiles).toEqual([]);
    return parts.map(({ firstSequence, copyCount, pageCount }) => [firstSequence, copyCount, pageCount]);
  }

  test('have at most the limit of pages, with the blank ones', async () => {
    const copies = await makeCopies(plainPrintFile(3), 5);
    expect(await split(copies, 8)).toEqual([
      [1, 2, 8],
      [3, 2, 8],
      [5, 1, 4],
    ]);
    expect(await split(copies, 7)).toEqual([1, 2, 3, 4, 5].map((sequence) => [sequence, 1, 4]));
    expect(await split(copies, 20)).toEqual([[1, 5, 20]]);
  });

  test('have at most the limit of bytes', async () => {
    const copies = await makeCopies(plainPrintFile(1), 3);
    const two = copies[0]!.sizeBytes + copies[1]!.sizeBytes;
    expect(await split(copies, 100, two)).toEqual([
      [1, 2, 4],
      [3, 1, 2],
    ]);
    expect(await split(copies, 100, two - 1)).toEqual([1, 2, 3].map((sequence) => [sequence, 1, 2]));
  });

  test('a copy over a limit is a part of its own, as it is', async () => {
    const [small] = await makeCopies(plainPrintFile(1), 1);
    const [large] = await makeCopies(plainPrintFile(5), 1);
    const inMiddle = [small!, large!, small!];
    const expected = [
      [1, 1, 2],
      [2, 1, 5],
      [3, 1, 2],
    ];
    expect(await split(inMiddle, 5)).toEqual(expected);
    expect(await split(inMiddle, 100, large!.sizeBytes - 1)).toEqual(expected);
    const { parts } = await merge([large!], { partLimits: { pages: 5, bytes: plenty } });
    expect(await readFile(parts[0]!.path)).toEqual(large!.content.bytes);
    expect(parts[0]?.sizeBytes).toBe(large!.sizeBytes);
    // At the limits it is merged like any other.
    expect(await split([large!], 6, large!.sizeBytes)).toEqual([[1, 1, 6]]);
  });

  test('the longest letter with a cover page is a part by default', async () => {
    const copies = await makeCopies(plainPrintFile(2000), 1, 'cover');
    const { parts } = await merge(copies);
    expect(parts).toMatchObject([{ pageCount: 2002, copyCount: 1 }]);
  });

  test('without copies there are no parts, and limits that the child process cannot hold are an error', async () => {
    expect(await split([], 10)).toEqual([]);
    await expect(split([], 2001)).rejects.toThrow(RangeError);
    await expect(split([], 2000, 100_000_001)).rejects.toThrow(RangeError);
  });
});

describe('1,000 copies of 3 pages', () => {
  const merge = useMerging();

  test('are merged without holding them in memory, and their letter is stored once in each part', async () => {
    const image = randomBytes(100_000).toString('hex');
    const print = buildPrintFile([{ content: `% ${image}` }, {}, {}]);
    const maker = await openCopyMaker({ bytes: print }, copyOptions);
    const startBytes = heldBytes();
    let [inputBytes, mostBytes] = [0, 0];
    async function* copies() {
      for (let i = 0; i < 1000; i += 1) {
        const { tail, pageCount, sizeBytes } = maker.make({ itemId: itemOf(i), address: recipient });
        inputBytes += sizeBytes;
        if (i % 100 === 99) mostBytes = Math.max(mostBytes, heldBytes() - startBytes);
        yield { content: { bytes: Buffer.concat([print, tail]) }, pageCount, sizeBytes };
      }
    }
    const { parts } = await merge(copies());
    expect(inputBytes).toBeGreaterThan(200_000_000);
    expect(mostBytes).toBeLessThan(inputBytes / 4);
    expect(parts.map(({ firstSequence, pageCount }) => [firstSequence, pageCount])).toEqual([
      [1, 1884],
      [472, 1884],
      [943, 232],
    ]);
    const each = (inputBytes - 1000 * print.length) / 1000;
    for (const { copyCount, sizeBytes } of parts) expect(sizeBytes).toBeLessThan(print.length + 1.1 * each * copyCount);
  });
});

describe('while a part is consumed', () => {
  const newFolder = useTempFolders();

  test('no further copy is asked for than the next one, and only this part is on the disk', async () => {
    const folder = await newFolder();
    let asked = 0;
    async function* copies() {
      for (const copy of await makeCopies(plainPrintFile(1), 6)) {
        asked += 1;
        yield copy;
      }
    }
    const seen: [number, number][] = [];
    const paths: string[] = [];
    const work = mergeWork(folder, { partLimits: { pages: 4, bytes: plenty } });
    for await (const part of mergeCopies(copies(), work)) {
      const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.pdf'));
      seen.push([asked, files.length]);
      paths.push(part.path);
    }
    expect(seen).toEqual([
      [3, 1],
      [5, 1],
      [6, 1],
    ]);
    expect(paths.map((path) => existsSync(path))).toEqual([false, false, false]);
  });

  test('a consumer that stops ends the copies, and no file remains', async () => {
    const folder = await newFolder();
    let isEnded = false;
    async function* copies() {
      try {
        yield* await makeCopies(plainPrintFile(1), 6);
      } finally {
        isEnded = true;
      }
    }
    for await (const part of mergeCopies(copies(), mergeWork(folder, { partLimits: { pages: 4, bytes: plenty } }))) {
      expect(part.firstSequence).toBe(1);
      break;
    }
    expect(isEnded).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('copies that cannot be merged', () => {
  const merge = useMerging();
  const newFolder = useTempFolders();
  const partLimits = { pages: 8, bytes: plenty };

  /** Merges five copies of which one has other bytes. The first two are a part. */
  async function mergeWith(bytes: Buffer, changes = {}) {
    const copies: CopyToMerge[] = await makeCopies(plainPrintFile(3), 5);
    copies[3] = { content: { bytes }, pageCount: 3, sizeBytes: bytes.length };
    return await merge(copies, { partLimits, ...changes });
  }

  test.each([
    ['no PDF', Buffer.from('no PDF at all'), 'too_hard'],
    [
      'a PDF without a page',
      Buffer.from(String(plainPrintFile(3)).replace('/Kids [', '/Kids [99 0 R ')),
      'damaged_pdf',
    ],
  ])('the error names the copy that is %s', async (_title, bytes, fault) => {
    const error = await mergeWith(bytes).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(CopiesUnmergeableError);
    expect(error).toMatchObject({ firstSequence: 4, lastSequence: 4, fault });
    expect(error.message).toBe(`Copy 4 cannot be merged: a file is damaged or exceeds a limit (${fault}).`);
  });

  test('a truncated file is an error before it is opened', async () => {
    const [copy] = await makeCopies(plainPrintFile(3), 1);
    const bytes = copy!.content.bytes.subarray(0, -100);
    const error = await merge([copy!, { ...copy!, content: { bytes } }]).catch((thrown) => thrown);
    const reason = `its file has ${bytes.length} bytes instead of ${copy!.sizeBytes}`;
    expect(error).toMatchObject({ firstSequence: 2, fault: null, message: `Copy 2 cannot be merged: ${reason}.` });
  });

  test('a copy with more pages than it says is an error', async () => {
    await expect(mergeWith(plainPrintFile(5))).rejects.toThrow('a different number of pages');
  });

  test('without an index of the child, the error names all copies of the part', async () => {
    const limitsFor = () => ({ ...limitsForMerge(8, plenty), wallMs: 1 });
    const error = await mergeWith(plainPrintFile(3), { limitsFor }).catch((thrown) => thrown);
    expect(error).toMatchObject({ firstSequence: 1, lastSequence: 2, fault: 'out_of_time' });
    expect(error.message).toMatch(/^Copies 1 to 2 cannot be merged: /);
  });

  test('an error leaves no file, and an ended signal stops the merge', async () => {
    const folder = await newFolder();
    const controller = new AbortController();
    const copies = await makeCopies(plainPrintFile(3), 6);
    const work = mergeWork(folder, { partLimits, signal: controller.signal });
    const parts = mergeCopies(toAsync(copies), work);
    expect((await parts.next()).value?.copyCount).toBe(2);
    controller.abort(new Error('shutting down'));
    await expect(parts.next()).rejects.toThrow('shutting down');
    expect(await readdir(folder)).toEqual([]);
  });
});
