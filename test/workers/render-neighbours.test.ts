import { describe, expect, test } from '@jest/globals';
import { limitsForFile, limitsForMerge } from '../../common/documents/child-limits.ts';
import { createRenderSlots, defaultSlotSettings } from '../../common/documents/render-slots.ts';
import { onePage, rawPdf, textPdf } from '../support/documents/build-pdf.ts';
import { pdf, useRendering } from '../support/documents/use-rendering.ts';

/** A PDF that keeps a parser busy far beyond any limit: millions of numbers where an object should be. */
const busyPdf = () => pdf(rawPdf({ objects: { ...onePage(), 6: '1 '.repeat(9_000_000) } }));

describe('hostile files and their neighbours', () => {
  const render = useRendering();

  test('given two hostile files in the fast slots, when a good letter follows, then it is done within 10 s', async () => {
    const slots = createRenderSlots();
    const abort = new AbortController();
    const hostile = [busyPdf(), busyPdf()].map((upload) => render([upload], { slots, signal: abort.signal }));
    const ends = Promise.allSettled(hostile);
    try {
      const good = await render([pdf(await textPdf(['good']))], { slots });
      expect(good.printFile).toMatchObject({ pageCount: 1 });
      expect(good.tookMs).toBeLessThan(10_000);
      // And the one after it, with a hostile one in the slow slot and another in front of it.
      const next = await render([pdf(await textPdf(['next']))], { slots });
      expect(next.tookMs).toBeLessThan(10_000);
    } finally {
      abort.abort(new Error('enough seen'));
    }
    expect((await ends).map((end) => end.status)).toEqual(['rejected', 'rejected']);
  }, 40_000);

  test('given two hostile files and short limits, when both run to their end, then both fail by their own fault', async () => {
    const slots = createRenderSlots({ ...defaultSlotSettings, fastCpuMs: 500 });
    const limitsFor = { file: () => ({ ...limitsForFile(1), cpuS: 2 }), merge: limitsForMerge };
    const outcomes = await Promise.all([busyPdf(), busyPdf()].map((upload) => render([upload], { slots, limitsFor })));
    for (const { error, leftOver, grownBytes } of outcomes) {
      expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fileIndex: 0 });
      expect(error?.message).toContain('within the limits');
      expect(leftOver).toEqual([]);
      expect(grownBytes).toBeLessThan(100 * 1024 * 1024);
    }
    // All slots are free again.
    const { tookMs } = await render([pdf(await textPdf(['good']))], { slots });
    expect(tookMs).toBeLessThan(5000);
  }, 40_000);

  test('given a render that waits for a slot, when its signal aborts, then the reason is thrown and nothing is left', async () => {
    const slots = createRenderSlots({ ...defaultSlotSettings, fastSlots: 0 });
    const waiting = render([pdf(await textPdf(['good']))], { slots, signal: AbortSignal.timeout(100) });
    await expect(waiting).rejects.toThrow(/timeout/);
  });
});
