// Level: unit
import { nameColumns, originalNames } from '#common/bulk/check/name-columns.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('the names of the columns of a list', () => {
  test('each column has its own, which a request can name', () => {
    expect(nameColumns([' a ', '', 'b\n\tc', ''])).toEqual(['a', 'Column 2', 'b c', 'Column 4']);
    expect(nameColumns(['a (3)', 'a', 'a', 'Column 5', ''])).toEqual([
      'a (3)',
      'a',
      'a (4)',
      'Column 5',
      'Column 5 (5)',
    ]);
    expect(originalNames(nameColumns(['a', 'a', 'b (2)', 'a']))).toEqual(['a', 'a', 'b (2)', 'a']);
    const names = nameColumns(Array.from({ length: 200 }, () => 'x'.repeat(300)));
    expect(new Set(names).size).toBe(200);
    expect(Math.max(...names.map(({ length }) => length))).toBe(200);
  });
});
