// Level: ci
import { startWarmChild } from '#common/documents/warm/start-warm-child.ts';
import { maxWarmBytes } from '#common/documents/warm/warm-pool.ts';
import { createLog } from '#common/platform/process/log.ts';
import { textPdf } from '#test/support/documents/build-pdf.ts';
import { canListChildren, residentMb } from '#test/support/documents/child-processes.ts';
import { byLevel, describe, expect, test, testWith } from '#test/support/jest.ts';

const log = createLog('test', 'silent');
const { signal } = new AbortController();
type Declare = (...args: Parameters<typeof test>) => void;
const none: Declare = () => {};
/** Only in long runs: each takes a minute or more. */
const testInLongRuns = byLevel({ quick: none, full: none, long: testWith('/proc', canListChildren) });

describe('a warm process that opens file after file', () => {
  const pdfOf = (pageCount: number) => textPdf(Array.from({ length: pageCount }, (_, i) => `Page ${i + 1}`));

  test('opens PDFs of up to 50 pages one after the other, and refuses longer ones', async () => {
    const child = await startWarmChild(log);
    try {
      for (const pageCount of [2, 10, 50, 51, 400, 2_000, 2]) {
        const bytes = await pdfOf(pageCount);
        expect(bytes.length).toBeLessThan(maxWarmBytes);
        const answer = await child.ask({ operation: 'rebuildPdf', bytes }, signal);
        expect(answer).toMatchObject(pageCount <= 50 ? { outcome: 'done', value: pageCount } : { outcome: 'refused' });
      }
    } finally {
      child.stop();
    }
  });

  testInLongRuns('needs about the same memory for letters of 2, 10, 400 and 2,000 pages', async () => {
    const memoryMb: number[] = [];
    for (const pageCount of [2, 10, 50, 400, 2_000]) {
      const child = await startWarmChild(log);
      try {
        const bytes = await pdfOf(pageCount);
        const readingsMb: number[] = [];
        for (let count = 1; count <= 20; count += 1) {
          await child.ask({ operation: 'rebuildPdf', bytes }, signal);
          readingsMb.push(residentMb(child.pid ?? 0));
        }
        memoryMb.push(median(readingsMb));
      } finally {
        child.stop();
      }
    }
    expect(Math.max(...memoryMb)).toBeLessThan(1.25 * (memoryMb[0] ?? 0));
  });

  testInLongRuns('needs no more memory with each letter', async () => {
    const child = await startWarmChild(log);
    try {
      const letters = await Promise.all(Array.from({ length: 20 }, (_, i) => textPdf([`Dear reader ${i}`])));
      const memoryMb: number[] = [];
      for (let count = 1; count <= 2_000; count += 1) {
        const bytes = letters[count % letters.length] ?? Buffer.alloc(0);
        const answer = await child.ask({ operation: 'rebuildPdf', bytes }, signal);
        expect(answer).toMatchObject({ outcome: 'done', value: 1 });
        if (count >= 200 && count % 100 === 0) memoryMb.push(residentMb(child.pid ?? 0));
      }
      // When the garbage collector finishes moves memory by up to 40 MB on a busy machine. A leak grows all the time.
      const grownMb = memoryMb.slice(1).map((mb, i) => mb - (memoryMb[i] ?? 0));
      expect(median(grownMb)).toBeLessThan(1);
    } finally {
      child.stop();
    }
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
