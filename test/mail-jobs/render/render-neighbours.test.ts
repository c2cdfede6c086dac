// Level: ci
import { limitsForFile, limitsForMerge } from '#common/documents/isolation/child-limits.ts';
import { createRenderSlots, defaultSlotSettings, type RenderSlots } from '#common/documents/isolation/render-slots.ts';
import type { Owner } from '#common/modes.ts';
import { onePage, rawPdf, textPdf } from '#test/support/documents/build-pdf.ts';
import { pdf, type Rendering, useRendering } from '#test/support/documents/use-rendering.ts';
import { describe, eventually, expect, guardMs, test } from '#test/support/jest.ts';

/** A PDF that keeps a parser busy beyond any limit: millions of numbers in place of an object. */
const busyPdf = () => pdf(rawPdf({ objects: { ...onePage(), 6: '1 '.repeat(9_000_000) } }));

const hostileOwner: Owner = { organizationId: 'hostile', mode: 'test' };
const neighbour: Owner = { organizationId: 'neighbour', mode: 'test' };

describe('hostile files and letters of other customers', () => {
  const render = useRendering();
  const renderGood = async (slots: RenderSlots, options: Rendering = {}) =>
    await render([pdf(await textPdf(['good']))], { slots, slotRequest: { owner: neighbour }, ...options });

  test('letters of another customer are printed while two hostile files are in work', async () => {
    // Only CPU time moves a render to the slow slot. A letter may stand still on a busy machine.
    const slots = createRenderSlots({ ...defaultSlotSettings, fastWallMs: Number.POSITIVE_INFINITY });
    const limitsFor = { file: () => ({ ...limitsForFile(1), cpuS: 60, wallMs: 600_000 }), merge: limitsForMerge };
    let [acquired, ended] = [0, 0];
    const acquire: RenderSlots['acquire'] = async (...request) => {
      const slot = await slots.acquire(...request);
      acquired += 1;
      return slot;
    };
    const abort = new AbortController();
    const options = { slots: { acquire }, slotRequest: { owner: hostileOwner }, signal: abort.signal, limitsFor };
    const renderHostile = () =>
      render([busyPdf()], options).finally(() => {
        ended += 1;
      });
    const ends = Promise.allSettled([renderHostile(), renderHostile()]);
    try {
      await eventually(async () => expect(acquired).toBe(2));
      // In the second round, one hostile file has the slow slot and another waits for it.
      for (let round = 0; round < 2; round += 1) {
        const { printFile } = await renderGood(slots);
        expect([printFile?.pageCount, ended]).toEqual([1, 0]);
      }
    } finally {
      abort.abort(new Error('enough seen'));
    }
    expect((await ends).map((end) => end.status)).toEqual(['rejected', 'rejected']);
  });

  test('two hostile files fail by their own fault when they reach their limits', async () => {
    const slots = createRenderSlots({ ...defaultSlotSettings, fastCpuMs: 500 });
    const limitsFor = { file: () => ({ ...limitsForFile(1), cpuS: 2 }), merge: limitsForMerge };
    const outcomes = await Promise.all([busyPdf(), busyPdf()].map((upload) => render([upload], { slots, limitsFor })));
    for (const { error, remainingFiles } of outcomes) {
      expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fileIndex: 0 });
      expect(error?.message).toContain('within the limits');
      expect(remainingFiles).toEqual([]);
    }
    // All slots are free again.
    for (const pool of ['fast', 'fast', 'slow'] as const) await slots.acquire(AbortSignal.timeout(guardMs), { pool });
  });

  test('aborting a render that waits for a slot throws the reason and leaves no files', async () => {
    const slots = createRenderSlots({ ...defaultSlotSettings, fastSlots: 0 });
    const waiting = render([pdf(await textPdf(['good']))], { slots, signal: AbortSignal.timeout(100) });
    await expect(waiting).rejects.toThrow(/timeout/);
  });
});
