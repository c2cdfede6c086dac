// Level: unit
import fc from 'fast-check';
import { assertCents, formatCents, splitCents, vatCents } from '#common/money.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const basisPointsOf = fc.integer({ min: 0, max: 10_000 });
/** A million letters of a thousand euros each: more than any job can cost. */
const netOf = fc.integer({ min: 0, max: 100_000_000_000 });

/** VAT by law in arbitrary precision: half a cent rounds up. */
function exactVatCents(netCents: number, basisPoints: number): number {
  return Number((BigInt(netCents) * BigInt(basisPoints) + 5_000n) / 10_000n);
}

describe('VAT', () => {
  test.each([
    [482, 21, 101], // 101.22
    [100, 21, 21],
    [50, 21, 11], // 10.50
    [150, 21, 32], // 31.50
    [1, 21, 0], // 0.21
    [3, 21, 1], // 0.63
    [2, 25, 1], // 0.50
    [10, 5, 1], // 0.50
    [9, 5, 0], // 0.45
    [8, 6.25, 1], // 0.50
    [7, 6.25, 0], // 0.4375
    [200, 5.5, 11],
    [0, 21, 0],
    [12_345, 0, 0],
    [12_345, 100, 12_345],
  ])('VAT on %i cents net at %d percent is %i cents', (netCents, percent, expected) => {
    expect(vatCents(netCents, percent)).toBe(expected);
  });

  test('VAT is exact and rounds half up for any amount and any rate of two decimals', () => {
    fc.assert(
      fc.property(netOf, basisPointsOf, (netCents, basisPoints) => {
        expect(vatCents(netCents, basisPoints / 100)).toBe(exactVatCents(netCents, basisPoints));
      }),
      { numRuns: 2_000 },
    );
  });

  test('VAT on 10,000 cents is the rate in basis points, for every rate of two decimals', () => {
    for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1) {
      expect(vatCents(10_000, basisPoints / 100)).toBe(basisPoints);
    }
  });

  test('VAT never falls when the net amount rises', () => {
    forAny([netOf, netOf, basisPointsOf], (left, right, basisPoints) => {
      const [low, high] = left < right ? [left, right] : [right, left];
      expect(vatCents(low, basisPoints / 100)).toBeLessThanOrEqual(vatCents(high, basisPoints / 100));
    });
  });

  const inexact = [0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1, Number.MAX_SAFE_INTEGER];
  test.each(inexact)('VAT on %d cents, which cannot be computed exactly, throws', (netCents) => {
    expect(() => vatCents(netCents, 21)).toThrow(/Not a whole number of cents/);
  });
});

describe('splitting a total into shares', () => {
  test.each([
    [583, 2, [291, 292]],
    [100, 3, [33, 33, 34]],
    [2, 3, [0, 0, 2]],
    [0, 2, [0, 0]],
    [99, 1, [99]],
  ])('of %i cents in %i shares the last gets the remainder', (totalCents, count, shares) => {
    expect(splitCents(totalCents, count)).toEqual(shares);
  });

  test('shares are whole, nearly equal and add up for any total and 1 to 100 shares', () => {
    forAny([netOf, fc.integer({ min: 1, max: 100 })], (totalCents, count) => {
      const shares = splitCents(totalCents, count);
      expect(shares).toHaveLength(count);
      expect(shares.every((share) => Number.isSafeInteger(share) && share >= 0)).toBe(true);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(totalCents);
      expect(new Set(shares.slice(0, -1)).size).toBeLessThanOrEqual(1);
      expect((shares.at(-1) ?? 0) - (shares[0] ?? 0)).toBeLessThan(count);
    });
  });

  test('half a cent cannot be split', () => {
    expect(() => splitCents(0.5, 2)).toThrow(/Not a whole number of cents/);
  });
});

describe('formatting and checking cents', () => {
  test.each([
    [0, '0.00 EUR'],
    [5, '0.05 EUR'],
    [123_456, '1,234.56 EUR'],
    [100_000, '1,000.00 EUR'],
    [-250, '-2.50 EUR'],
  ])('%i cents are formatted as %s', (cents, text) => {
    expect(formatCents(cents)).toBe(text);
  });

  test('assertCents returns a whole number and throws for anything else', () => {
    expect(assertCents(-5)).toBe(-5);
    for (const cents of [1.5, Number.NaN, 2 ** 53]) expect(() => assertCents(cents)).toThrow();
  });
});
