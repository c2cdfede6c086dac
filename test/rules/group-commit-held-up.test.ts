import { describe, expect, test } from '@jest/globals';
import { AppError } from '../../common/errors.ts';
import { aGroupCommit, pause, settle } from '../support/group-commit.ts';

describe('a group commit that somebody else holds up', () => {
  test('given a key that somebody else holds, when its item waits with others, then the others are through long before it', async () => {
    // given
    const batches: string[] = [];
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    const commit = async (items: readonly string[], endsAt: number) => {
      batches.push(items.join());
      await settle();
      if (!items.some((item) => item.startsWith('held'))) return items;
      const isLate = await Promise.race([isFree, pause(endsAt - performance.now()).then(() => true)]);
      if (isLate) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
      return items;
    };
    const { add, drain } = aGroupCommit({ commit, patienceMs: 50 });
    // when
    void add('first');
    const held = ['held 1', 'held 2'].map(add);
    const others = ['a', 'b', 'b2'].map(add);
    expect(await Promise.all(others)).toEqual(['a', 'b', 'b2']);
    const heldLater = add('held 3');
    expect(await add('c')).toBe('c');
    // then
    free();
    expect(await Promise.all([...held, heldLater])).toEqual(['held 1', 'held 2', 'held 3']);
    expect(batches.slice(0, 2)).toEqual(['first', 'held 1,held 2,a,b,b2']);
    expect(batches.slice(2, 5).sort()).toEqual(['a', 'b,b2', 'held 1,held 2']);
    expect(batches.slice(5)).toEqual(['c', 'held 3']);
    await drain();
  });

  test('given one key alone that somebody else holds, when its time is over, then it is refused, and nobody else has waited', async () => {
    const commit = async (items: readonly string[], endsAt: number) => {
      if (!items.some((item) => item.startsWith('held'))) return items;
      await pause(endsAt - performance.now() + 5);
      throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
    };
    const { add } = aGroupCommit({ commit, patienceMs: 20, maxWaitMs: 400 });
    const held = add('held').then(
      () => 'done',
      () => 'refused',
    );
    expect(await Promise.race([held, add('a')])).toBe('a');
    expect(await held).toBe('refused');
  });

  test('given work alone that somebody else holds up, when patience is over, then the others go on, and a drain waits for it', async () => {
    // given
    const { add, alone, drain } = aGroupCommit({ patienceMs: 20 });
    const { promise: held, resolve: release } = Promise.withResolvers<string>();
    const work = alone(() => held);
    // when
    const outcome = await add('a');
    // then
    expect(outcome).toBe('a!');
    const drained = drain().then(() => 'drained');
    expect(await Promise.race([drained, pause(20)])).toBeUndefined();
    release('late');
    expect(await Promise.all([work, drained])).toEqual(['late', 'drained']);
  });
});
