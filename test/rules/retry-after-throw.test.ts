import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { retryAfterThrow } from '../../common/platform/due-work.ts';

const now = new Date('2026-06-10T10:00:00.000Z');
const waitMs = (attempt: number) => retryAfterThrow(attempt, now).getTime() - now.getTime();

describe('when work that threw is done again', () => {
  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
    [5, 16_000],
    [6, 32_000],
    [7, 60_000],
    [8, 60_000],
  ])('given attempt %i, when it throws, then the next is %i ms later', (attempt, expectedMs) => {
    expect(waitMs(attempt)).toBe(expectedMs);
  });

  test('given a first throw, when the work is due again, then that is within 5 s', () => {
    expect(waitMs(1)).toBeLessThan(5_000);
    // A row from before attempts were counted.
    expect(waitMs(0)).toBe(1_000);
  });

  test('given any number of attempts, when it throws again, then the wait grows and never passes a minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (attempt) => {
        expect(waitMs(attempt)).toBeGreaterThanOrEqual(1_000);
        expect(waitMs(attempt)).toBeLessThanOrEqual(60_000);
        expect(waitMs(attempt + 1)).toBeGreaterThanOrEqual(waitMs(attempt));
      }),
    );
  });
});
