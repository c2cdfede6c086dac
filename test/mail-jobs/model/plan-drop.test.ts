import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { planDrop } from '#common/mail-jobs/create/plan-drop.ts';
import { describe, expect, test } from '#test/support/jest.ts';

// A Wednesday at noon in Brussels.
const now = new Date('2026-06-10T10:00:00.000Z');
const dayMs = 86_400_000;
const later = (ms: number) => plusMs(now, ms).toISOString();

/** Returns the code and paths of the error. */
function refused(wanted: string): unknown {
  try {
    return planDrop(wanted, now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.code, ...(error.issues ?? []).map(({ path }) => path)];
  }
}
const outside = ['VALIDATION_ERROR', ['scheduledDropAt']];

describe('the planned drop time', () => {
  test.each([undefined, null])('without a requested time (%s) it is the next cutoff', (wanted) => {
    expect(planDrop(wanted, now)).toEqual({ scheduledDropAt: null, dropAt: new Date('2026-06-10T13:00:00.000Z') });
    const evening = new Date('2026-06-10T13:00:00.001Z');
    expect(planDrop(wanted, evening).dropAt).toEqual(new Date('2026-06-11T13:00:00.000Z'));
    const late = new Date('2026-06-12T13:00:00.001Z');
    expect(planDrop(wanted, late).dropAt).toEqual(new Date('2026-06-15T13:00:00.000Z'));
  });

  test.each([
    ['now', later(0), '2026-06-10T13:00:00.000Z'],
    ['the cutoff itself', '2026-06-10T13:00:00.000Z', '2026-06-10T13:00:00.000Z'],
    ['a millisecond after the cutoff', '2026-06-10T13:00:00.001Z', '2026-06-11T13:00:00.000Z'],
    ['a Saturday', '2026-06-13T08:00:00+02:00', '2026-06-15T13:00:00.000Z'],
    ['a time with another offset', '2026-06-10T08:00:00-05:00', '2026-06-10T13:00:00.000Z'],
    ['a day in winter', '2026-11-05T09:00:00+01:00', '2026-11-05T14:00:00.000Z'],
  ])('for %s it is the first cutoff at or after that time', (_name, wanted, dropAt) => {
    expect(planDrop(wanted, now)).toEqual({ scheduledDropAt: new Date(wanted), dropAt: new Date(dropAt) });
  });

  test('a time even 1 ms in the past is refused', () => {
    expect(refused(later(-1))).toEqual(outside);
    expect(refused('2020-01-01T00:00:00Z')).toEqual(outside);
  });

  test('180 days ahead is accepted, and 1 ms more is refused', () => {
    expect(planDrop(later(180 * dayMs), now).scheduledDropAt).toEqual(plusMs(now, 180 * dayMs));
    expect(refused(later(180 * dayMs + 1))).toEqual(outside);
    expect(refused('9999-12-31T23:59:59Z')).toEqual(outside);
  });

  test('180 days are 180 times 24 hours, also across a clock change', () => {
    const winter = new Date('2026-01-14T11:00:00.000Z');
    const edge = plusMs(winter, 180 * dayMs);
    expect(planDrop(edge.toISOString(), winter).scheduledDropAt).toEqual(edge);
    expect(() => planDrop(plusMs(edge, 1).toISOString(), winter)).toThrow(AppError);
  });
});
