// Level: ci
import { readFileSync } from 'node:fs';
import { limitsForFile } from '#common/documents/isolation/child-limits.ts';
import type { WarmResult } from '#common/documents/warm/warm-pool.ts';
import { textPdf } from '../support/documents/build-pdf.ts';
import { listChildren } from '../support/documents/child-processes.ts';
import { createImageMutator, createPdfMutator } from '../support/documents/mutate-files.ts';
import { pdf, type Upload, useRendering, useWarmPool } from '../support/documents/use-rendering.ts';
import { byLevel, describe, eventually, expect, test } from '../support/jest.ts';
import { createRandom } from '../support/random.ts';

const poolSize = 3;
const { signal } = new AbortController();

/** Shorter than in production: a changed number makes some files cost their whole limit. */
const shortLimits = { ...limitsForFile(1), cpuS: 2, wallMs: 10_000 };
const limitsFor = { file: () => shortLimits, merge: () => shortLimits };

type Files<T> = { seed: number; next: () => T };

/** Checks `count` files, two at once. Names the seed and the file of a failure: the seed makes the same files again. */
async function checkFiles<T>(
  count: number,
  { seed, next }: Files<T>,
  check: (file: T, index: number) => Promise<void>,
): Promise<void> {
  async function checkNext(index: number): Promise<void> {
    try {
      await check(next(), index);
    } catch (error) {
      throw new Error(`File ${index} of seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
  for (let index = 0; index < count; index += 2) await Promise.all([checkNext(index), checkNext(index + 1)]);
}

/** Takes the seed of a failure from the variable SEED. */
async function mutated<T>(create: (random: () => number) => Promise<() => T>): Promise<Files<T>> {
  const { SEED } = process.env;
  const { seed, random } = createRandom(SEED === undefined ? undefined : Number(SEED));
  return { seed, next: await create(random) };
}

describe('mutated PDFs', () => {
  const warmPool = useWarmPool({ maxChildren: poolSize + 1 });
  const render = useRendering();
  const renderAlone = async (bytes: Buffer, expectedPages: number) => {
    const { printFile, error } = await render([pdf(bytes)], { warmPool: null, expectedPages, limitsFor });
    return { printed: printFile && readFileSync(printFile.path), message: error?.message ?? null };
  };
  /** The bytes of a warm process are those of a process of its own, or the letter is refused for the same reason. */
  async function expectSameEnd(bytes: Buffer, warm: WarmResult): Promise<void> {
    const { printed, message } = await renderAlone(bytes, warm.value);
    if (printed) return expect(warm.bytes.equals(printed)).toBe(true);
    const { error } = await render([pdf(bytes)], { warmPool, expectedPages: warm.value, limitsFor });
    expect({ message: error?.message }).toEqual({ message });
  }

  test('warm processes give the bytes of a process of its own or nothing, and stay few', async () => {
    const files = await mutated(createPdfMutator);
    const compareEvery = byLevel({ quick: 12, full: 20, long: 40 });
    const letter = Buffer.from(await textPdf(['Dear reader']));
    const { printed } = await renderAlone(letter, 1);
    let doneCount = 0;
    await checkFiles(byLevel({ quick: 150, full: 200, long: 10_000 }), files, async (bytes, index) => {
      const { result } = await warmPool.run({ operation: 'rebuildPdf', bytes }, 'a', signal);
      if (result) doneCount += 1;
      if (result && doneCount % compareEvery === 0) await expectSameEnd(bytes, result);
      if (index % 50 !== 49) return;
      const { printFile } = await render([pdf(letter)], { warmPool });
      expect(printed?.equals(readFileSync(printFile?.path ?? ''))).toBe(true);
      // One spare, and for the other file in hand a process of its own and the one that prints its program.
      await eventually(() => expect(listChildren()?.length ?? 0).toBeLessThanOrEqual(poolSize + 3));
    });
    // Enough files get as far as a result.
    expect(doneCount).toBeGreaterThan(byLevel({ quick: 25, full: 40, long: 2_500 }));
  });

  test('each ends with a print file or an error of the document, and leaves no other file', async () => {
    await checkFiles(byLevel({ quick: 10, full: 20, long: 400 }), await mutated(createPdfMutator), (bytes) =>
      expectEnd(pdf(bytes)),
    );
  });

  async function expectEnd(upload: Upload): Promise<void> {
    const { printFile, error, remainingFiles } = await render([upload], { warmPool, limitsFor });
    expect(printFile === null).toBe(error !== null);
    expect(remainingFiles.filter((name) => name !== 'print.pdf' || error)).toEqual([]);
  }

  test('each mutated image ends so too', async () => {
    await checkFiles(byLevel({ quick: 10, full: 40, long: 1_000 }), await mutated(createImageMutator), expectEnd);
  });
});
