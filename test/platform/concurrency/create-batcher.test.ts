// Level: unit
import { setImmediate as nextLoop } from 'node:timers/promises';
import { createBatcher } from '#common/platform/concurrency/create-batcher.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { createRandom } from '#test/support/random.ts';

/** A batcher that squares numbers when the test says so, and the batches it has started. */
function startBatcher(maxItems = 100) {
  const batches: (PromiseWithResolvers<void> & { items: readonly number[] })[] = [];
  const square = createBatcher<number, number>({
    maxItems,
    async run(items) {
      const batch = { items, ...Promise.withResolvers<void>() };
      batches.push(batch);
      await batch.promise;
      return items.map((item) => item ** 2);
    },
  });
  return { square, batches, started: () => batches.map(({ items }) => items) };
}

/** Ends the batches that run until none is left. */
async function endAll(batches: readonly PromiseWithResolvers<void>[], from = 0): Promise<void> {
  for (let index = from; index < batches.length; index += 1) {
    batches[index]?.resolve();
    await nextLoop();
  }
}

describe('items that are processed in batches', () => {
  test('items of one event-loop tick share a batch, and each gets its own result', async () => {
    const { square, batches, started } = startBatcher();
    const results = Promise.all([square(2), Promise.resolve().then(() => square(3)), square(2)]);
    expect(started()).toEqual([]);
    await nextLoop();
    expect(started()).toEqual([[2, 2, 3]]);
    await endAll(batches);
    expect(await results).toEqual([4, 9, 4]);
  });

  test('items that arrive during a batch form the next one, which starts when it has ended', async () => {
    const { square, batches, started } = startBatcher();
    const first = square(1);
    await nextLoop();
    const others = [square(2), square(3)];
    await nextLoop();
    expect(started()).toEqual([[1]]);
    await endAll(batches);
    expect(await Promise.all([first, ...others])).toEqual([1, 4, 9]);
    expect(started()).toEqual([[1], [2, 3]]);
  });

  test('an item that arrives after the last batch starts another one', async () => {
    const { square, batches, started } = startBatcher();
    for (const item of [5, 6]) {
      const result = square(item);
      await nextLoop();
      await endAll(batches, batches.length - 1);
      expect(await result).toBe(item ** 2);
    }
    expect(started()).toEqual([[5], [6]]);
  });

  test.each([
    { maxItems: 1, batchSizes: [1, 1, 1] },
    { maxItems: 2, batchSizes: [2, 1] },
    { maxItems: 3, batchSizes: [3] },
    { maxItems: Number.POSITIVE_INFINITY, batchSizes: [3] },
  ])('with at most $maxItems items in a batch, three make $batchSizes', async ({ maxItems, batchSizes }) => {
    const { square, batches, started } = startBatcher(maxItems);
    const results = Promise.all([square(1), square(2), square(3)]);
    await nextLoop();
    await endAll(batches);
    expect(await results).toEqual([1, 4, 9]);
    expect(started().map(({ length }) => length)).toEqual(batchSizes);
  });

  test('a failed batch fails its own items only, and the next batch still runs', async () => {
    const { square, batches } = startBatcher();
    const failed = Promise.allSettled([square(1), square(2)]);
    await nextLoop();
    const next = square(3);
    batches[0]?.reject(new Error('broken'));
    await nextLoop();
    await endAll(batches, 1);
    expect(await failed).toMatchObject([{ reason: { message: 'broken' } }, { reason: { message: 'broken' } }]);
    expect(await next).toBe(9);
  });

  test('in any interleaving, batches never overlap and no item is lost, repeated or overtaken', async () => {
    const { seed, random } = createRandom();
    const processed: number[] = [];
    let running = 0;
    let overlaps = 0;
    const echo = createBatcher<number, number>({
      maxItems: 3,
      async run(items) {
        running += 1;
        if (running > 1) overlaps += 1;
        for (let turns = random() * 4; turns > 1; turns -= 1) await nextLoop();
        running -= 1;
        if (random() < 0.1) throw new Error('broken');
        processed.push(...items);
        return items;
      },
    });
    const items = Array.from({ length: 300 }, (_, index) => index);
    const answers: Promise<number | null>[] = [];
    for (const item of items) {
      answers.push(echo(item).catch(() => null));
      if (random() < 0.5) await nextLoop();
    }
    const results = await Promise.all(answers);
    const answered = items.filter((item) => results[item] !== null);
    expect({ seed, overlaps, results }).toEqual({
      seed,
      overlaps: 0,
      results: items.map((item) => (answered.includes(item) ? item : null)),
    });
    expect({ seed, processed }).toEqual({ seed, processed: answered });
  });
});
