import { describe, expect, test } from '@jest/globals';
import { aGroupCommit } from '../support/group-commit.ts';

describe('what one commit of a group carries', () => {
  test('given a turn to be waited for, when items come meanwhile, then even the first commit carries them all', async () => {
    // given
    const { promise: turn, resolve: giveTurn } = Promise.withResolvers<void>();
    const { add, batches } = aGroupCommit({ beforeCommit: () => turn });
    // when
    const outcomes = ['a', 'b', 'c'].map(add);
    expect(batches).toEqual([]);
    giveTurn();
    await Promise.all(outcomes);
    // then
    expect(batches).toEqual([['a', 'b', 'c']]);
  });

  test('given no turn to be waited for, when an item comes, then its commit has begun before anything else happens', () => {
    const { add, batches } = aGroupCommit({ beforeCommit: () => undefined });
    void add('a');
    expect(batches).toEqual([['a']]);
  });

  test('given a size that changes, when items wait, then each commit carries what holds at its beginning', async () => {
    // given
    const sizes = [1, 2, 4];
    const { add, batches } = aGroupCommit({ maxItems: () => sizes.shift() ?? 100 });
    // when
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(add));
    // then
    expect(batches.map(({ length }) => length)).toEqual([1, 2, 4, 1]);
  });
});
