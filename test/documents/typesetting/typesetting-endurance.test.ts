// Level: long
import { packLetter } from '#common/documents/typesetting/pack-letter.ts';
import { startTypesetter } from '#common/documents/typesetting/start-typesetter.ts';
import { createLog } from '#common/platform/process/log.ts';
import { canListChildren, residentMb } from '#test/support/documents/child-processes.ts';
import { aLetterOf, signal } from '#test/support/documents/typesetting/use-typesetting.ts';
import { describe, expect, testWith } from '#test/support/jest.ts';

const log = createLog('test', 'silent');
const testHere = testWith('/proc', canListChildren);

/** As many as a process typesets before it is replaced. */
const letters = 200;
const step = 10;
const maxGrowthMb = 0.5 * step;
const maxMb = 400;

describe('a process that typesets letter after letter', () => {
  testHere('needs less than 400 MB, and grows by less than 0.5 MB with each letter', async () => {
    const text = `Dear ((name)),\n\n${'We confirm your **order** of ((date)).\n\n'.repeat(6)}| Item | Price |\n|---|---|\n| ((item)) | 12 EUR |\n`;
    const child = await startTypesetter(log);
    try {
      const memoryMb: number[] = [];
      for (let count = 1; count <= letters; count += 1) {
        const variables = { name: `Reader ${count}`, date: `${count} May`, item: `Chair ${count * 7}` };
        const bytes = Buffer.from(JSON.stringify(packLetter(aLetterOf(text, variables))));
        const answer = await child.ask({ operation: 'typesetLetter', bytes }, signal);
        expect(answer).toMatchObject({ outcome: 'done', value: 1 });
        if (count % step === 0) memoryMb.push(residentMb(child.pid ?? 0));
      }
      // A peak depends on when the garbage collector runs. What is needed for good is in the later readings.
      const grownMb = memoryMb.slice(1).map((mb, index) => mb - (memoryMb[index] ?? 0));
      expect(median(grownMb)).toBeLessThan(maxGrowthMb);
      expect(median(memoryMb.slice(-5))).toBeLessThan(maxMb);
    } finally {
      child.stop();
    }
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
