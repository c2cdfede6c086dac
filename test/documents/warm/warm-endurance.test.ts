import { startWarmChild } from '#common/documents/warm/start-warm-child.ts';
import { maxWarmBytes } from '#common/documents/warm/warm-pool.ts';
import { createLog } from '#common/platform/process/log.ts';
import { textPdf } from '#test/support/documents/build-pdf.ts';
import { canListChildren, listChildren, residentMb } from '#test/support/documents/child-processes.ts';
import { byLevel, describe, expect, test, testWith } from '#test/support/jest.ts';

const log = createLog('test', 'silent');
const { signal } = new AbortController();
type Declare = (...args: Parameters<typeof test>) => void;
const testAtFullLevel = byLevel<Declare>({ quick: () => {}, full: testWith('/proc', canListChildren) });

describe('a warm process that opens file after file', () => {
  test('opens PDFs of 2, 10 and 400 pages one after the other', async () => {
    const child = await startWarmChild(log);
    try {
      for (const pageCount of [2, 10, 400, 2]) {
        const bytes = await textPdf(Array.from({ length: pageCount }, (_, i) => `Page ${i + 1}`));
        expect(bytes.length).toBeLessThan(maxWarmBytes);
        const answer = await child.ask({ operation: 'rebuildPdf', bytes }, signal);
        expect(answer).toMatchObject({ outcome: 'done', value: pageCount });
      }
    } finally {
      child.stop();
    }
  });

  testAtFullLevel(
    'needs as much memory after 2,000 letters as after 200',
    async () => {
      const child = await startWarmChild(log);
      try {
        const [pid = 0] = listChildren() ?? [];
        const letters = await Promise.all(Array.from({ length: 20 }, (_, i) => textPdf([`Dear reader ${i}`])));
        const memoryMb: Record<number, number> = {};
        for (let count = 1; count <= 2_000; count += 1) {
          const bytes = letters[count % letters.length] ?? Buffer.alloc(0);
          const answer = await child.ask({ operation: 'rebuildPdf', bytes }, signal);
          expect(answer).toMatchObject({ outcome: 'done', value: 1 });
          if (count % 200 === 0) memoryMb[count] = residentMb(pid);
        }
        expect(memoryMb[2_000]).toBeLessThan(1.25 * (memoryMb[200] ?? 0));
      } finally {
        child.stop();
      }
    },
    300_000,
  );
});
