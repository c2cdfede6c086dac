// Level: unit
import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { type DropTime, planDrop } from '#common/mail-jobs/rules/plan-drop.ts';
import { describe, expect, test } from '#test/support/jest.ts';

// A Wednesday at noon in Brussels.
const now = new Date('2026-06-10T10:00:00.000Z');
const dayMs = 86_400_000;
const minuteMs = 60_000;
const cutoffs = { timeOf: { standard: '15:00', prior: '15:00', registered: '14:30' }, leadMinutes: 90 };
const plan = (wanted: string | null | undefined, at = now) =>
  planDrop(wanted, { serviceType: 'standard', now: at }, cutoffs);
/** A planned drop with the default lead of 90 minutes. */
const dropOf = (dropAt: string, scheduledDropAt: string | null = null): DropTime => ({
  scheduledDropAt: scheduledDropAt === null ? null : new Date(scheduledDropAt),
  dropAt: new Date(dropAt),
  closesAt: plusMs(new Date(dropAt), -90 * minuteMs),
});
const later = (ms: number) => plusMs(now, ms).toISOString();

/** Returns the code and paths of the error. */
function refused(wanted: string): unknown {
  try {
    return plan(wanted);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.code, ...(error.issues ?? []).map(({ path }) => path)];
  }
}
const outside = ['VALIDATION_ERROR', ['scheduledDropAt']];

describe('the planned drop time', () => {
  test.each([undefined, null])('without a requested time (%s) it is the next cutoff with an open batch', (wanted) => {
    expect(plan(wanted)).toEqual(dropOf('2026-06-10T13:00:00.000Z'));
    // The batch of Wednesday closes at 11:30 UTC: a letter of that very millisecond goes on Thursday.
    expect(plan(wanted, new Date('2026-06-10T11:29:59.999Z'))).toEqual(dropOf('2026-06-10T13:00:00.000Z'));
    expect(plan(wanted, new Date('2026-06-10T11:30:00.000Z'))).toEqual(dropOf('2026-06-11T13:00:00.000Z'));
    expect(plan(wanted, new Date('2026-06-10T13:00:00.001Z'))).toEqual(dropOf('2026-06-11T13:00:00.000Z'));
    expect(plan(wanted, new Date('2026-06-12T11:30:00.000Z'))).toEqual(dropOf('2026-06-15T13:00:00.000Z'));
  });

  test.each([
    ['now', later(0), '2026-06-10T13:00:00.000Z'],
    ['the cutoff itself', '2026-06-10T13:00:00.000Z', '2026-06-10T13:00:00.000Z'],
    ['a millisecond after the cutoff', '2026-06-10T13:00:00.001Z', '2026-06-11T13:00:00.000Z'],
    ['a Saturday', '2026-06-13T08:00:00+02:00', '2026-06-15T13:00:00.000Z'],
    ['a time with another offset', '2026-06-10T08:00:00-05:00', '2026-06-10T13:00:00.000Z'],
    ['a day in winter', '2026-11-05T09:00:00+01:00', '2026-11-05T14:00:00.000Z'],
  ])('for %s it is the first cutoff at or after that time', (_name, wanted, dropAt) => {
    expect(plan(wanted)).toEqual(dropOf(dropAt, wanted));
  });

  test('a requested cutoff whose batch is closed already becomes the next one', () => {
    const wanted = '2026-06-10T13:00:00.000Z';
    expect(plan(wanted, new Date('2026-06-10T11:29:59.999Z'))).toEqual(dropOf(wanted, wanted));
    expect(plan(wanted, new Date('2026-06-10T11:30:00.000Z'))).toEqual(dropOf('2026-06-11T13:00:00.000Z', wanted));
  });

  test('each service has its own cutoff', () => {
    const at = { serviceType: 'registered', now } as const;
    expect(planDrop(null, at, cutoffs)).toEqual(dropOf('2026-06-10T12:30:00.000Z'));
    const wanted = '2026-06-10T12:30:00.001Z';
    expect(planDrop(wanted, at, cutoffs)).toEqual(dropOf('2026-06-11T12:30:00.000Z', wanted));
  });

  test('a time even 1 ms in the past is refused', () => {
    expect(refused(later(-1))).toEqual(outside);
    expect(refused('2020-01-01T00:00:00Z')).toEqual(outside);
  });

  test('180 days ahead is accepted, and 1 ms more is refused', () => {
    expect(plan(later(180 * dayMs)).scheduledDropAt).toEqual(plusMs(now, 180 * dayMs));
    expect(refused(later(180 * dayMs + 1))).toEqual(outside);
    expect(refused('9999-12-31T23:59:59Z')).toEqual(outside);
  });

  test('180 days are 180 times 24 hours, also across a clock change', () => {
    const winter = new Date('2026-01-14T11:00:00.000Z');
    const edge = plusMs(winter, 180 * dayMs);
    expect(plan(edge.toISOString(), winter).scheduledDropAt).toEqual(edge);
    expect(() => plan(plusMs(edge, 1).toISOString(), winter)).toThrow(AppError);
  });
});
