import { describe, expect, test } from '@jest/globals';
import { limitsForFile, limitsForMerge } from '../../common/documents/child-limits.ts';
import {
  createRenderSlots,
  defaultSlotSettings,
  type RenderSeat,
  SlotsFullError,
} from '../../common/documents/render-slots.ts';

const { signal } = new AbortController();
const slotsOf = (settings: Partial<typeof defaultSlotSettings> = {}) =>
  createRenderSlots({ ...defaultSlotSettings, ...settings });

/** Whether a promise is settled once everything that can happen now has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  await new Promise(setImmediate);
  return settled;
}

describe('the limits of a child process', () => {
  const mib = 1024 * 1024;
  const usual = { dataBytes: 768 * mib, fileBytes: 200_000_000, openFiles: 64 };

  test.each([
    ['one page', limitsForFile(1), { ...usual, cpuS: 20, wallMs: 30_060 }],
    ['2,000 pages', limitsForFile(2000), { ...usual, cpuS: 80, wallMs: 150_000 }],
    ['a merge of 100 MB', limitsForMerge(20, 100_000_000), { ...usual, cpuS: 20, wallMs: 31_200 }],
    ['a larger merge', limitsForMerge(20, 100_000_001), { ...usual, fileBytes: 512 * mib, cpuS: 20, wallMs: 31_200 }],
  ])('given %s, when limits are set, then they are those of the table', (_title, limits, expected) => {
    expect(limits).toEqual(expected);
  });

  test('given the defaults, when slots are made, then two are fast and one is slow', () => {
    expect(defaultSlotSettings).toEqual({
      fastSlots: 2,
      slowSlots: 1,
      fastCpuMs: 3000,
      fastWallMs: 6000,
      maxWaiting: 200,
    });
  });
});

describe('the slots of renders', () => {
  test('given both fast slots taken, when a third render comes, then it waits until one leaves', async () => {
    const slots = slotsOf();
    const first = await slots.enter(signal);
    await slots.enter(signal);
    const third = slots.enter(signal);
    expect(await isSettled(third)).toBe(false);
    first.leave();
    expect(await isSettled(third)).toBe(true);
  });

  test('given two renders that became slow, when a good one comes, then it finds a fast slot at once', async () => {
    const slots = slotsOf();
    const [a, b] = [await slots.enter(signal), await slots.enter(signal)];
    expect(a.tryMoveToSlow()).toBe(true);
    expect(b.tryMoveToSlow()).toBe(false);
    const waiting = b.moveToSlow(signal);
    expect(await isSettled(slots.enter(signal))).toBe(true);
    expect(await isSettled(waiting)).toBe(false);
    a.leave();
    await waiting;
    expect(b.isSlow).toBe(true);
  });

  test('given somebody waits for the slow slot, when another tries to move there, then it cannot overtake', async () => {
    const slots = slotsOf({ fastSlots: 3 });
    const [a, b, c] = [await slots.enter(signal), await slots.enter(signal), await slots.enter(signal)];
    a.tryMoveToSlow();
    const waiting = b.moveToSlow(signal);
    a.leave();
    expect(c.tryMoveToSlow()).toBe(false);
    await waiting;
  });

  test('given a render that waits, when its signal aborts, then it gives up and takes no slot later', async () => {
    const slots = slotsOf({ fastSlots: 1 });
    const first = await slots.enter(signal);
    const abort = new AbortController();
    const second = slots.enter(abort.signal);
    abort.abort(new Error('lease lost'));
    await expect(second).rejects.toThrow('lease lost');
    first.leave();
    expect(await isSettled(slots.enter(signal))).toBe(true);
  });

  test('given as many waiting as may wait, when one more comes, then it is sent away', async () => {
    const slots = slotsOf({ fastSlots: 1, maxWaiting: 1 });
    await slots.enter(signal);
    void slots.enter(signal);
    await expect(slots.enter(signal)).rejects.toThrow(SlotsFullError);
  });

  test('given a seat that leaves twice, when others come, then no slot was invented', async () => {
    const slots = slotsOf({ fastSlots: 1 });
    const seat: RenderSeat = await slots.enter(signal);
    seat.leave();
    seat.leave();
    await slots.enter(signal);
    expect(await isSettled(slots.enter(signal))).toBe(false);
  });

  test('given a share of 3 s of CPU and 6 s on the wall, when children spend, then either ends it', async () => {
    const seat = await slotsOf().enter(signal);
    const none = { cpuMs: 0, wallMs: 0 };
    seat.spend({ cpuMs: 2000, wallMs: 2000 });
    expect(seat.isOverFastShare({ cpuMs: 1000, wallMs: 1000 })).toBe(false);
    expect(seat.isOverFastShare({ cpuMs: 1001, wallMs: 1000 })).toBe(true);
    // A child that sleeps, on a system that tells nothing of CPU.
    expect(seat.isOverFastShare({ cpuMs: null, wallMs: 4001 })).toBe(true);
    seat.spend({ cpuMs: null, wallMs: 4001 });
    expect(seat.isOverFastShare(none)).toBe(true);
  });
});
