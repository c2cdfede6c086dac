// Level: unit
import fc from 'fast-check';
import { slopePerMinute } from '#scripts/soak/checks/memory-slope.ts';
import { faultKinds, planFaults } from '#scripts/soak/fault-plan.ts';
import { arrivalKinds, arrivalOf, randomAt } from '#scripts/soak/load-plan.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

describe('the schedule of a soak', () => {
  test('the same seed gives the same arrivals and the same faults', () => {
    const arrivals = (seed: number) => Array.from({ length: 200 }, (_, n) => arrivalOf(seed, n));
    expect(arrivals(7)).toEqual(arrivals(7));
    expect(arrivals(7)).not.toEqual(arrivals(8));
    expect(planFaults(7, 1_800)).toEqual(planFaults(7, 1_800));
    expect(planFaults(7, 1_800)).not.toEqual(planFaults(8, 1_800));
  });

  test('half an hour has every kind of fault twice, in any order', () => {
    forAny([seeds], (seed) => {
      const kinds = planFaults(seed, 1_800).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual([...faultKinds, ...faultKinds].toSorted());
    });
  });

  test('faults leave time to recover between them and before the end', () => {
    forAny([seeds, fc.integer({ min: 30, max: 7_200 })], (seed, loadS) => {
      const faults = planFaults(seed, loadS);
      const times = [...faults.map(({ atS }) => atS), 0.925 * loadS];
      for (const [index, { atS, forS }] of faults.entries()) expect(times[index + 1]! - atS - forS).toBeGreaterThan(4);
      expect(faults.every(({ atS }) => atS >= 0.1 * loadS - 0.1 && atS <= 0.85 * loadS)).toBe(true);
    });
  });

  test('arrivals of all kinds come, and letters are some 40 % of them', () => {
    const kinds = Array.from({ length: 20_000 }, (_, n) => arrivalOf(3, n).kind);
    expect(new Set(kinds)).toEqual(new Set(arrivalKinds));
    const letters = kinds.filter((kind) => ['own document', 'template', 'live letter', 'repeat'].includes(kind));
    expect(letters.length / kinds.length).toBeCloseTo(0.395, 1);
  });

  test('random numbers are spread over the whole range', () => {
    const numbers = Array.from({ length: 10_000 }, (_, n) => randomAt(1, 1, n));
    expect(numbers.reduce((sum, each) => sum + each, 0) / numbers.length).toBeCloseTo(0.5, 1);
    expect(Math.min(...numbers)).toBeLessThan(0.01);
    expect(Math.max(...numbers)).toBeGreaterThan(0.99);
  });
});

describe('the slope of memory', () => {
  const samples = (mb: (atS: number) => number) =>
    Array.from({ length: 400 }, (_, n) => ({ atS: n * 2, mb: mb(n * 2) }));

  test('a leak of 2 MB a minute is found under the noise of a heap', () => {
    const noisy = samples((atS) => 100 + (atS / 60) * 2 + 30 * randomAt(1, 1, atS));
    expect(slopePerMinute(noisy)).toBeCloseTo(2, 0);
  });

  test('neither noise, nor a peak, nor a heap that is collected is a leak', () => {
    const peak = samples((atS) => 100 + 20 * randomAt(2, 1, atS) + (atS > 300 && atS < 420 ? 200 : 0));
    expect(Math.abs(slopePerMinute(peak))).toBeLessThan(0.5);
    const collected = samples((atS) => 100 + (atS % 40));
    expect(Math.abs(slopePerMinute(collected))).toBeLessThan(0.5);
  });

  test('no samples, or one, have no slope', () => {
    expect(slopePerMinute([])).toBe(0);
    expect(slopePerMinute([{ atS: 1, mb: 5 }])).toBe(0);
  });
});
