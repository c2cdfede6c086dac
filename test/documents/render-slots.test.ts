// Level: unit
import { limitsForFile, limitsForMerge } from '#common/documents/isolation/child-limits.ts';
import { createRenderSlots, defaultSlotSettings, type RenderSlot } from '#common/documents/isolation/render-slots.ts';
import { SemaphoreFullError } from '#common/platform/concurrency/fair-semaphore.ts';
import { describe, expect, test } from '../support/jest.ts';

const { signal } = new AbortController();
const slotsOf = (settings: Partial<typeof defaultSlotSettings> = {}) =>
  createRenderSlots({ ...defaultSlotSettings, ...settings });

/** Returns whether a promise is settled after all pending callbacks have run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  await new Promise(setImmediate);
  return settled;
}

describe('limits of a child process', () => {
  const mib = 1024 * 1024;
  const usual = { dataBytes: 768 * mib, fileBytes: 200_000_000, openFiles: 64 };

  test.each([
    ['one page', limitsForFile(1), { ...usual, cpuS: 20, wallMs: 30_060 }],
    ['2,000 pages', limitsForFile(2000), { ...usual, cpuS: 80, wallMs: 150_000 }],
    ['a merge of 100 MB', limitsForMerge(20, 100_000_000), { ...usual, cpuS: 20, wallMs: 31_200 }],
    ['a larger merge', limitsForMerge(20, 100_000_001), { ...usual, fileBytes: 512 * mib, cpuS: 20, wallMs: 31_200 }],
  ])('%s has the documented limits', (_title, limits, expected) => {
    expect(limits).toEqual(expected);
  });

  test('by default there are two fast slots and one slow slot', () => {
    expect(defaultSlotSettings).toEqual({
      fastSlots: 2,
      slowSlots: 1,
      fastCpuMs: 3000,
      fastWallMs: 6000,
      maxWaiting: 200,
    });
  });
});

describe('render slots', () => {
  test('a third render waits until one of the two fast slots is released', async () => {
    const slots = slotsOf();
    const first = await slots.acquire(signal);
    await slots.acquire(signal);
    const third = slots.acquire(signal);
    expect(await isSettled(third)).toBe(false);
    first.release();
    expect(await isSettled(third)).toBe(true);
  });

  test('two slow renders leave a fast slot free for the next render', async () => {
    const slots = slotsOf();
    const [a, b] = [await slots.acquire(signal), await slots.acquire(signal)];
    expect(a.tryMoveToSlow()).toBe(true);
    expect(b.tryMoveToSlow()).toBe(false);
    const waiting = b.moveToSlow(signal);
    expect(await isSettled(slots.acquire(signal))).toBe(true);
    expect(await isSettled(waiting)).toBe(false);
    a.release();
    await waiting;
    expect(b.isSlow).toBe(true);
  });

  test('a render cannot overtake another that waits for the slow slot', async () => {
    const slots = slotsOf({ fastSlots: 3 });
    const [a, b, c] = [await slots.acquire(signal), await slots.acquire(signal), await slots.acquire(signal)];
    a.tryMoveToSlow();
    const waiting = b.moveToSlow(signal);
    a.release();
    expect(c.tryMoveToSlow()).toBe(false);
    await waiting;
  });

  test('an aborted render stops waiting and takes no slot later', async () => {
    const slots = slotsOf({ fastSlots: 1 });
    const first = await slots.acquire(signal);
    const abort = new AbortController();
    const second = slots.acquire(abort.signal);
    abort.abort(new Error('lease lost'));
    await expect(second).rejects.toThrow('lease lost');
    first.release();
    expect(await isSettled(slots.acquire(signal))).toBe(true);
  });

  test('a render is refused when the queue is full', async () => {
    const slots = slotsOf({ fastSlots: 1, maxWaiting: 1 });
    await slots.acquire(signal);
    void slots.acquire(signal);
    await expect(slots.acquire(signal)).rejects.toThrow(SemaphoreFullError);
  });

  test('releasing a slot twice frees it only once', async () => {
    const slots = slotsOf({ fastSlots: 1 });
    const slot: RenderSlot = await slots.acquire(signal);
    slot.release();
    slot.release();
    await slots.acquire(signal);
    expect(await isSettled(slots.acquire(signal))).toBe(false);
  });

  test('a render is over budget after 3 s of CPU time or 6 s of wall time', async () => {
    const slot = await slotsOf().acquire(signal);
    const none = { cpuMs: 0, wallMs: 0 };
    slot.spend({ cpuMs: 2000, wallMs: 2000 });
    expect(slot.isOverFastBudget({ cpuMs: 1000, wallMs: 1000 })).toBe(false);
    expect(slot.isOverFastBudget({ cpuMs: 1001, wallMs: 1000 })).toBe(true);
    // A sleeping child, on a system that does not report CPU time.
    expect(slot.isOverFastBudget({ cpuMs: null, wallMs: 4001 })).toBe(true);
    slot.spend({ cpuMs: null, wallMs: 4001 });
    expect(slot.isOverFastBudget(none)).toBe(true);
  });
});
