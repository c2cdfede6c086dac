import { limitsForFile, limitsForMerge } from '#common/documents/isolation/child-limits.ts';
import { createRenderSlots, defaultSlotSettings, type RenderSlots } from '#common/documents/isolation/render-slots.ts';
import type { Owner } from '#common/modes.ts';
import { onePage, rawPdf, textPdf } from '#test/support/documents/build-pdf.ts';
import { pdf, type Rendering, useRendering } from '#test/support/documents/use-rendering.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';

/** A PDF that keeps a parser busy beyond any limit: millions of numbers in place of an object. */
const busyPdf = () => pdf(rawPdf({ objects: { ...onePage(), 6: '1 '.repeat(9_000_000) } }));

const hostileOwner: Owner = { organizationId: 'hostile', mode: 'test' };
const neighbour: Owner = { organizationId: 'neighbour', mode: 'test' };

describe('hostile files and letters of other customers', () => {
  const render = useRendering();
  const renderGood = async (slots: RenderSlots, options: Rendering = {}) =>
    await render([pdf(await textPdf(['good']))], { slots, slotRequest: { owner: neighbour }, ...options });

  /** Returns the median time of a rendering without load, in a process of its own: the measure of the machine. */
  async function measureAloneMs(): Promise<number> {
    // Starts the warm processes, as a worker does when it starts.
    await renderGood(createRenderSlots());
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      times.push((await renderGood(createRenderSlots(), { warmPool: null })).tookMs);
    }
    return times.sort((a, b) => a - b)[1] ?? 0;
  }
  /** Where the limit of 5 s was set, a rendering without load took half a second. It scales with a slower machine. */
  const maxDelayMs = (aloneMs: number) => 5_000 * Math.max(1, aloneMs / 500);

  test('two hostile files delay each letter of another customer by less than 5 s', async () => {
    const aloneMs = await measureAloneMs();
    const slots = createRenderSlots();
    let acquired = 0;
    const acquire: RenderSlots['acquire'] = async (...request) => {
      const slot = await slots.acquire(...request);
      acquired += 1;
      return slot;
    };
    const abort = new AbortController();
    const options = { slots: { acquire }, slotRequest: { owner: hostileOwner }, signal: abort.signal };
    const ends = Promise.allSettled([busyPdf(), busyPdf()].map((upload) => render([upload], options)));
    try {
      await eventually(async () => expect(acquired).toBe(2));
      // In the second round, one hostile file has the slow slot and another waits for it.
      for (let round = 0; round < 2; round += 1) {
        const good = await renderGood(slots);
        expect(good.printFile).toMatchObject({ pageCount: 1 });
        expect(good.tookMs - aloneMs).toBeLessThan(maxDelayMs(aloneMs));
      }
    } finally {
      abort.abort(new Error('enough seen'));
    }
    expect((await ends).map((end) => end.status)).toEqual(['rejected', 'rejected']);
  });

  test('two hostile files fail by their own fault when they reach their limits', async () => {
    const aloneMs = await measureAloneMs();
    const slots = createRenderSlots({ ...defaultSlotSettings, fastCpuMs: 500 });
    const limitsFor = { file: () => ({ ...limitsForFile(1), cpuS: 2 }), merge: limitsForMerge };
    const outcomes = await Promise.all([busyPdf(), busyPdf()].map((upload) => render([upload], { slots, limitsFor })));
    for (const { error, remainingFiles, grownBytes } of outcomes) {
      expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fileIndex: 0 });
      expect(error?.message).toContain('within the limits');
      expect(remainingFiles).toEqual([]);
      expect(grownBytes).toBeLessThan(100 * 1024 * 1024);
    }
    // All slots must be free again.
    const { tookMs } = await renderGood(slots);
    expect(tookMs - aloneMs).toBeLessThan(maxDelayMs(aloneMs));
  });

  test('aborting a render that waits for a slot throws the reason and leaves no files', async () => {
    const slots = createRenderSlots({ ...defaultSlotSettings, fastSlots: 0 });
    const waiting = render([pdf(await textPdf(['good']))], { slots, signal: AbortSignal.timeout(100) });
    await expect(waiting).rejects.toThrow(/timeout/);
  });
});
