// Level: unit
import { createCachedReads } from '#common/platform/concurrency/cached-reads.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '#test/support/jest.ts';

let nowMs = 0;
beforeEach(() => {
  nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => jest.restoreAllMocks());

/** Reads that end when the test says so: with their number, from 1, by default. */
function startReads(maxKeys?: number) {
  const reads: PromiseWithResolvers<number>[] = [];
  const keepMs = (value: number) => (value === 20 ? 0 : value === 30 ? 40 : 100);
  const cache = createCachedReads<number>({ maxAgeMs: 100, keepMs, ...(maxKeys && { maxKeys }) });
  const read = async () => {
    const started = Promise.withResolvers<number>();
    reads.push(started);
    return await started.promise;
  };
  const get = (key = 'a', maxAgeMs?: number) => cache.get(key, read, { maxAgeMs });
  const end = (number: number, value = number) => reads[number - 1]?.resolve(value);
  return { cache, get, end, reads };
}

describe('cached reads', () => {
  test('concurrent callers share a read, whose value is used until its start is `maxAgeMs` ago', async () => {
    const { get, end, reads } = startReads();
    const both = Promise.all([get(), get()]);
    nowMs = 60;
    end(1);
    expect(await both).toEqual([1, 1]);
    nowMs = 99;
    expect(await get()).toBe(1);
    expect(reads).toHaveLength(1);
    nowMs = 100;
    void get();
    expect(reads).toHaveLength(2);
  });

  test('callers of one read continue in the order in which they came', async () => {
    const { get, end } = startReads();
    const order: string[] = [];
    const callers = ['first', 'second', 'third'].map((name) => get().then(() => order.push(name)));
    end(1);
    await Promise.all(callers);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  test('a slow read is shared no longer than its value would be', async () => {
    const { get, end, reads } = startReads();
    const first = get();
    nowMs = 100;
    void get();
    expect(reads).toHaveLength(2);
    end(1);
    expect(await first).toBe(1);
    nowMs = 150;
    void get();
    expect(reads).toHaveLength(2);
  });

  test('a caller may ask for a younger value, and age 0 always reads', async () => {
    const { get, end, reads } = startReads();
    end(1);
    void get('a', 50);
    nowMs = 50;
    void get('a', 51);
    expect(reads).toHaveLength(1);
    void get('a', 50);
    void get('a', 0);
    expect(reads).toHaveLength(3);
  });

  test('a caller may bring a clock of its own, which may be set back', async () => {
    const { cache } = startReads();
    let count = 0;
    const at = (ms: number) => cache.get('a', async () => (count += 1), { nowMs: ms });
    expect([await at(1_000), await at(1_099), await at(901), await at(900), await at(1_000)]).toEqual([1, 1, 1, 2, 3]);
  });

  test('a value may be kept for less time, or not at all', async () => {
    const { cache, get, end, reads } = startReads();
    for (const number of [1, 2, 3]) {
      const value = get(`key ${number}`);
      end(number, number * 10);
      expect(await value).toBe(number * 10);
    }
    expect([1, 2, 3].map((number) => cache.has(`key ${number}`))).toEqual([true, false, true]);
    nowMs = 40;
    expect([1, 2, 3].map((number) => cache.has(`key ${number}`))).toEqual([true, false, false]);
    expect(reads).toHaveLength(3);
  });

  test('all callers of a read get its error, which is not kept', async () => {
    const { get, end, reads } = startReads();
    const both = Promise.allSettled([get(), get()]);
    reads[0]?.reject(new Error('unreachable'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    void get();
    expect(reads).toHaveLength(2);
    end(2);
  });

  test('the result of a read that was dropped while in progress is not kept', async () => {
    const { cache, get, end, reads } = startReads();
    for (const drop of [() => cache.delete('a'), cache.clear]) {
      const before = reads.length;
      const value = get();
      drop();
      end(before + 1);
      expect(await value).toBe(before + 1);
      expect(cache.has('a')).toBe(false);
    }
  });

  test('beyond `maxKeys`, the oldest read is dropped', () => {
    const { cache, get } = startReads(2);
    for (const key of ['a', 'b', 'c']) void get(key);
    expect(['a', 'b', 'c'].map((key) => cache.has(key))).toEqual([false, true, true]);
  });
});
