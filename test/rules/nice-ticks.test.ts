// Level: unit
import fc from 'fast-check';
import { niceTicks } from '#api/web/design/charts/nice-ticks.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

describe('the grid lines of a chart', () => {
  test.each([
    [0, 0, [0, 1]],
    [0, 8, [0, 2, 4, 6, 8]],
    [0, 221, [0, 50, 100, 150, 200, 250]],
    [-30, 100, [-50, 0, 50, 100]],
  ])('from %i to %i are %j', (lowest, highest, ticks) => {
    expect(niceTicks(lowest, highest)).toEqual(ticks);
  });

  test('there are at most ten, of steps 1, 2 or 5, with zero, and all values lie between them', () => {
    const value = fc.integer({ min: -1e9, max: 1e12 });
    forAny([value, value], (one, other) => {
      const [lowest, highest] = [Math.min(one, other), Math.max(one, other)];
      const ticks = niceTicks(lowest, highest);
      expect(ticks.length).toBeLessThanOrEqual(10);
      expect(ticks.includes(0)).toBe(true);
      expect(ticks[0]).toBeLessThanOrEqual(lowest);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
      expect(String((ticks[1] ?? 0) - (ticks[0] ?? 0))).toMatch(/^[125]0*$/);
    });
  });
});
