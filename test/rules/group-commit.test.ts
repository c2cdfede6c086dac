import { describe, expect, test } from '@jest/globals';
import { AppError } from '../../common/errors.ts';
import { aGroupCommit, pause, refused, settle } from '../support/group-commit.ts';

describe('a group commit', () => {
  test('given nothing under way, when an item comes, then its commit begins at once, alone', () => {
    const { add, batches } = aGroupCommit();
    void add('a');
    expect(batches).toEqual([['a']]);
  });

  test('given a commit under way, when items come, then they share the next one, in order, and each gets its own outcome', async () => {
    // given
    const { add, batches, hold } = aGroupCommit();
    const release = hold();
    const first = add('a');
    // when
    const others = ['b', 'c', 'd'].map(add);
    await settle();
    expect(batches).toEqual([['a']]);
    release();
    // then
    expect(await Promise.all([first, ...others])).toEqual(['a!', 'b!', 'c!', 'd!']);
    expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  });

  test('given more items than one commit carries, when they wait, then they go in several, by number and by size', async () => {
    const { add, batches, hold } = aGroupCommit({ maxItems: () => 3, maxBytes: 10 });
    const release = hold();
    const outcomes = ['0', 'a', 'b', 'c', 'd', 'sixbyt', 'four', 'morethantenbytes', 'z'].map(add);
    release();
    await Promise.all(outcomes);
    expect(batches).toEqual([['0'], ['a', 'b', 'c'], ['d', 'sixbyt'], ['four'], ['morethantenbytes'], ['z']]);
  });

  test('given an item that the commit refuses, when it is over, then that one throws and the others have their outcome', async () => {
    const commit = async (items: readonly string[]) =>
      items.map((item) => (item === 'b' ? new AppError('INSUFFICIENT_FUNDS') : item));
    const { add } = aGroupCommit({ commit });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(add));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('given a poisoned item among 256, when their commit fails, then it alone throws', async () => {
    // given
    const sizes: number[] = [];
    const commit = async (items: readonly string[]) => {
      sizes.push(items.length);
      await settle();
      if (items.includes('poison')) throw new Error('too large');
      return items;
    };
    const { add } = aGroupCommit({ commit, maxBytes: 10_000 });
    // when
    const names = Array.from({ length: 257 }, (_, n) => (n === 100 ? 'poison' : `item-${n}`));
    const outcomes = await Promise.allSettled(names.map(add));
    // then
    const failed = names.filter((_, n) => outcomes[n]?.status === 'rejected');
    expect(failed).toEqual(['poison']);
    expect(sizes.slice(0, 2)).toEqual([1, 256]);
    expect(sizes.slice(2)).toEqual(Array(256).fill(1));
  });

  test('given a failure that concerns all, when it happens, then nobody is tried one by one', async () => {
    const sizes: number[] = [];
    const commit = async (items: readonly string[]) => {
      sizes.push(items.length);
      await settle();
      throw new Error('the database is away');
    };
    const { add } = aGroupCommit({ commit, concernsAll: () => true });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(add));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(sizes).toEqual([1, 2]);
  });

  test('given as many waiting as may wait, when one more comes, then SERVICE_UNAVAILABLE until some are through', async () => {
    const { add, hold } = aGroupCommit({ maxWaiting: 2 });
    const release = hold();
    const admitted = ['a', 'b', 'c'].map(add);
    await expect(add('d')).rejects.toMatchObject(refused);
    release();
    await Promise.all(admitted);
    expect(await add('e')).toBe('e!');
  });

  test('given a commit that does not end, when the time of those that wait is over, then they are refused, and nothing of them is done', async () => {
    const { add, batches, hold } = aGroupCommit({ maxWaitMs: 30 });
    const release = hold();
    const first = add('a');
    await expect(add('b')).rejects.toMatchObject(refused);
    release();
    expect(await first).toBe('a!');
    expect(await add('c')).toBe('c!');
    expect(batches).toEqual([['a'], ['c']]);
  });

  test('given a commit that gives up when the time of its first one is over, when others came later, then they are tried again', async () => {
    // given
    const batches: string[] = [];
    const commit = async (items: readonly string[], endsAt: number) => {
      batches.push(items.join());
      // The first one holds the line until two have come, one long after the other.
      await pause(items[0] === 'first' ? 250 : 0);
      if (items[0] !== 'early') return items;
      await pause(endsAt - performance.now() + 5);
      throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
    };
    const { add } = aGroupCommit({ commit, maxWaitMs: 400 });
    // when
    void add('first');
    const early = add('early').catch((error) => error);
    await pause(200);
    const late = add('late');
    // then
    expect(await early).toMatchObject(refused);
    expect(await late).toBe('late');
    expect(batches).toEqual(['first', 'early,late', 'late']);
  });

  test('given other work that must run alone, when commits are under way, then it has its turn between two of them', async () => {
    const log: string[] = [];
    const commit = async (items: readonly string[]) => {
      log.push(`begin ${items.join()}`);
      await settle();
      log.push(`end ${items.join()}`);
      return items;
    };
    const { add, alone } = aGroupCommit({ commit });
    const work = async () => {
      log.push('begin work');
      await settle();
      log.push('end work');
      return 42;
    };
    const [, , answer, failure] = await Promise.all([
      add('a'),
      add('b'),
      alone(work),
      alone(async () => Promise.reject(new Error('broken'))).catch((error) => error.message),
      add('c'),
    ]);
    expect([answer, failure]).toEqual([42, 'broken']);
    expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin work', 'end work', 'begin c', 'end c']);
  });

  test('given items under way and waiting, when it is drained, then it takes no more, and settles when all are through', async () => {
    const { add, alone, drain, batches, hold } = aGroupCommit();
    const release = hold();
    const admitted = ['a', 'b'].map(add);
    let isDrained = false;
    const drained = drain().then(() => {
      isDrained = true;
    });
    await expect(add('c')).rejects.toMatchObject(refused);
    await expect(alone(async () => 'c')).rejects.toMatchObject(refused);
    await settle();
    expect(isDrained).toBe(false);
    release();
    await drained;
    expect(batches).toEqual([['a'], ['b']]);
    expect(await Promise.all(admitted)).toEqual(['a!', 'b!']);
    await drain();
  });
});
