// Level: unit
import { createMergedCells } from '#common/bulk/file/xlsx/merged-cells.ts';
import { describe, expect, test } from '#test/support/jest.ts';

/** Looked up once: globals are slow in a test. */
const { get } = Reflect;

/** Returns cells that count how often they are read, and end a test that reads far too many. */
function countingCells(most: number) {
  let reads = 0;
  const of = (cells: string[]) =>
    new Proxy(cells, {
      get(target, key) {
        reads += 1;
        if (reads > most) throw new Error('too many steps');
        return get(target, key);
      },
    });
  return { of, reads: () => reads };
}

describe('merged cells', () => {
  const ranges = 100_000;
  test.each([
    ['the same one again and again', () => 'A1:A1048576'],
    ['of a few columns and rows', (at: number) => `${'ABCD'[at % 4]}${1 + (at % 7)}:ZZ${1_000_000 + at}`],
  ])('100,000 ranges over 100,000 rows take some steps for each, if they are %s', (_, rangeOf) => {
    const merged = createMergedCells();
    for (let at = 0; at < ranges; at += 1) merged.add(rangeOf(at));
    const counting = countingCells(20 * ranges);
    let filled = 0;
    for (let row = 1; row <= ranges; row += 1) {
      filled += merged.fill(counting.of(row === 1 ? ['a', 'b', 'c', 'd', 'x'] : ['', '', '', '', 'x']), row);
    }
    expect(filled).toBeGreaterThanOrEqual(ranges - 1);
    expect(counting.reads()).toBeLessThanOrEqual(20 * ranges);
  });

  test('of those that overlap, the one that ends last counts', () => {
    const merged = createMergedCells();
    for (const range of ['A1:A2', 'A1:A6', 'A1:A3', 'A4:A5', 'B2:B3', 'B3:B5']) merged.add(range);
    const rows = [['a'], ['', 'b', 'x'], ['', '', 'x'], ['', '', 'x'], ['', '', 'x'], ['', '', 'x'], ['', '', 'x']];
    for (const [index, cells] of rows.entries()) merged.fill(cells, index + 1);
    expect(rows.map((cells) => cells.join(';'))).toEqual(['a', 'a;b;x', 'a;b;x', 'a;b;x', 'a;b;x', 'a;;x', ';;x']);
  });

  test('half a million ranges are read, also once more with the sheet, and more are refused', () => {
    const merged = createMergedCells();
    for (let at = 1; at <= 500_000; at += 1) merged.add(`A${at}:A1048576`);
    for (let at = 1; at <= 10; at += 1) merged.add(`A${at}:A1048576`);
    expect(() => merged.add('B1:B2')).toThrow(/merged/);
  });
});
