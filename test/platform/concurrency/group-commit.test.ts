// Level: unit
import { AppError } from '#common/errors.ts';
import { afterEach, describe, expect, test } from '#test/support/jest.ts';
import { aGroupCommit, refused, settle } from '#test/support/wallet/group-commit.ts';

describe('a group commit', () => {
  // Uncovers the method of the prototype, which one test covers.
  afterEach(() => void Reflect.deleteProperty(performance, 'now'));

  test.each([
    ['', {}],
    [', also after a `beforeCommit` that does not wait', { beforeCommit: () => undefined }],
  ])('an item that arrives while no commit is in flight is committed at once, alone%s', (_also, options) => {
    const { add, batches } = aGroupCommit(options);
    void add('a');
    expect(batches).toEqual([['a']]);
  });

  test('items that arrive during a commit share the next one, each with its own outcome', async () => {
    const { add, batches, hold } = aGroupCommit();
    const release = hold();
    const first = add('a');

    const others = ['b', 'c', 'd'].map(add);
    await settle();
    expect(batches).toEqual([['a']]);
    release();

    expect(await Promise.all([first, ...others])).toEqual(['a!', 'b!', 'c!', 'd!']);
    expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  });

  test('waiting items are split into batches by number and by size', async () => {
    const { add, batches, hold } = aGroupCommit({ maxItems: () => 3, maxBytes: 10 });
    const release = hold();
    const outcomes = ['0', 'a', 'b', 'c', 'd', 'sixbyt', 'four', 'morethantenbytes', 'z'].map(add);
    release();
    await Promise.all(outcomes);
    expect(batches).toEqual([['0'], ['a', 'b', 'c'], ['d', 'sixbyt'], ['four'], ['morethantenbytes'], ['z']]);
  });

  test('an item that the commit refuses throws, and the others get their outcomes', async () => {
    const commit = async (items: readonly string[]) =>
      items.map((item) => (item === 'b' ? new AppError('INSUFFICIENT_FUNDS') : item));
    const { add } = aGroupCommit({ commit });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(add));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('one poisoned item among 256 fails alone', async () => {
    const sizes: number[] = [];
    const commit = async (items: readonly string[]) => {
      sizes.push(items.length);
      await settle();
      if (items.includes('poison')) throw new Error('too large');
      return items;
    };
    const { add } = aGroupCommit({ commit, maxBytes: 10_000 });

    const names = Array.from({ length: 257 }, (_, n) => (n === 100 ? 'poison' : `item-${n}`));
    const outcomes = await Promise.allSettled(names.map(add));

    const failed = names.filter((_, n) => outcomes[n]?.status === 'rejected');
    expect(failed).toEqual(['poison']);
    expect(sizes.slice(0, 2)).toEqual([1, 256]);
    expect(sizes.slice(2)).toEqual(Array(256).fill(1));
  });

  test('a failure that concerns all items is not retried item by item', async () => {
    const sizes: number[] = [];
    const commit = async (items: readonly string[]) => {
      sizes.push(items.length);
      await settle();
      throw new Error('the database is unreachable');
    };
    const { add } = aGroupCommit({ commit, concernsAll: () => true });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(add));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(sizes).toEqual([1, 2]);
  });

  test('a full queue answers SERVICE_UNAVAILABLE until a commit ends', async () => {
    const { add, hold } = aGroupCommit({ maxWaiting: 2 });
    const release = hold();
    const admitted = ['a', 'b', 'c'].map(add);
    await expect(add('d')).rejects.toMatchObject(refused);
    release();
    await Promise.all(admitted);
    expect(await add('e')).toBe('e!');
  });

  test('items that wait too long behind a commit are refused, with nothing done', async () => {
    const { add, batches, hold } = aGroupCommit({ maxWaitMs: 30 });
    const release = hold();
    const first = add('a');
    await expect(add('b')).rejects.toMatchObject(refused);
    release();
    expect(await first).toBe('a!');
    expect(await add('c')).toBe('c!');
    expect(batches).toEqual([['a'], ['c']]);
  });

  test('items younger than the expired first one are retried when their commit gives up', async () => {
    // The time of the group commit. Its timers do not matter here.
    let nowMs = 0;
    performance.now = () => nowMs;
    const batches: string[] = [];
    const { promise: arrived, resolve: release } = Promise.withResolvers<void>();
    const commit = async (items: readonly string[], endsAt: number) => {
      batches.push(items.join());
      // The first commit lasts until two more items have arrived.
      if (items[0] === 'first') await arrived;
      if (items[0] !== 'early') return items;
      nowMs = endsAt + 5;
      throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
    };
    const { add } = aGroupCommit({ commit, maxWaitMs: 60_000, stallTimeoutMs: 120_000 });

    void add('first');
    const early = add('early').catch((error) => error);
    // The difference of their ages.
    nowMs += 200;
    const late = add('late');
    release();

    expect(await early).toMatchObject(refused);
    expect(await late).toBe('late');
    expect(batches).toEqual(['first', 'early,late', 'late']);
  });

  test('an exclusive task runs between two commits', async () => {
    const log: string[] = [];
    const commit = async (items: readonly string[]) => {
      log.push(`begin ${items.join()}`);
      await settle();
      log.push(`end ${items.join()}`);
      return items;
    };
    const { add, runExclusive } = aGroupCommit({ commit });
    const work = async () => {
      log.push('begin work');
      await settle();
      log.push('end work');
      return 42;
    };
    const [, , answer, failure] = await Promise.all([
      add('a'),
      add('b'),
      runExclusive(work),
      runExclusive(async () => Promise.reject(new Error('broken'))).catch((error) => error.message),
      add('c'),
    ]);
    expect([answer, failure]).toEqual([42, 'broken']);
    expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin work', 'end work', 'begin c', 'end c']);
  });

  test('drain refuses new items, and resolves when the admitted ones are committed', async () => {
    const { add, runExclusive, drain, batches, hold } = aGroupCommit();
    const release = hold();
    const admitted = ['a', 'b'].map(add);
    let isDrained = false;
    const drained = drain().then(() => {
      isDrained = true;
    });
    await expect(add('c')).rejects.toMatchObject(refused);
    await expect(runExclusive(async () => 'c')).rejects.toMatchObject(refused);
    await settle();
    expect(isDrained).toBe(false);
    release();
    await drained;
    expect(batches).toEqual([['a'], ['b']]);
    expect(await Promise.all(admitted)).toEqual(['a!', 'b!']);
    await drain();
  });
});

describe('the size of a batch', () => {
  test('the first batch carries all items that arrive while `beforeCommit` waits', async () => {
    const { promise: lock, resolve: grantLock } = Promise.withResolvers<void>();
    const { add, batches } = aGroupCommit({ beforeCommit: () => lock });

    const outcomes = ['a', 'b', 'c'].map(add);
    expect(batches).toEqual([]);
    grantLock();
    await Promise.all(outcomes);

    expect(batches).toEqual([['a', 'b', 'c']]);
  });

  test('each batch uses the limit that applies when it starts', async () => {
    const sizes = [1, 2, 4];
    const { add, batches } = aGroupCommit({ maxItems: () => sizes.shift() ?? 100 });

    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(add));

    expect(batches.map(({ length }) => length)).toEqual([1, 2, 4, 1]);
  });
});
