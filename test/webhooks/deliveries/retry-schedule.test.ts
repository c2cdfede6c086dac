// Level: push
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { type Mode, modes } from '#common/modes.ts';
import { noPauses } from '#common/platform/due-work/pauses.ts';
import { expiryOf, type FailedAnswer, nextAttempt } from '#common/webhooks/deliveries/retry-schedule.ts';
import { describe, expect, forAny, test } from '#test/support/jest.ts';

const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000];
const documented: Record<Mode, number[]> = {
  live: [5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)],
  test: [5_000, 60_000, 300_000],
};
const at = new Date('2026-03-01T12:00:00.000Z');
const expiresAt = new Date(at.getTime() + 96 * hourMs);
const refused: FailedAnswer = { outcome: 'answered', status: 500, retryAfter: null };
const busy = (status: number, retryAfter: string | null = null): FailedAnswer => ({
  outcome: 'answered',
  status,
  retryAfter,
});

function waitMs(options: { mode?: Mode; attemptsMade?: number; answer?: FailedAnswer; random?: number }) {
  const { mode = 'live', attemptsMade = 1, answer = refused, random = 0 } = options;
  const next = nextAttempt({ mode, attemptsMade, answer, expiresAt, at, random: () => random });
  return next && next.getTime() - at.getTime();
}

describe('the retry schedule', () => {
  test.each(modes)('has the documented delays in %s mode', (mode) => {
    const waits = documented[mode].map((_, index) => waitMs({ mode, attemptsMade: index + 1 }));
    expect(waits).toEqual(documented[mode]);
    expect(waitMs({ mode, attemptsMade: documented[mode].length + 1 })).toBeNull();
  });

  test('keeps each delay in its bounds and the total within 91 h, whatever the jitter', () => {
    const draw = fc.oneof(fc.double({ min: 0, max: 1 }), fc.constantFrom(0, 1, Number.NaN, -1, 2, Infinity));
    forAny([fc.constantFrom(...modes), fc.array(draw, { minLength: 10, maxLength: 10 })], (mode, draws) => {
      let now = at;
      let attemptsMade = 1;
      for (const baseMs of documented[mode]) {
        const random = () => draws[attemptsMade - 1] ?? 0;
        const next = nextAttempt({ mode, attemptsMade, answer: refused, expiresAt, at: now, random });
        const waited = (next?.getTime() ?? Number.NaN) - now.getTime();
        expect(waited).toBeGreaterThanOrEqual(baseMs);
        expect(waited).toBeLessThanOrEqual(Math.max(baseMs * 1.2, baseMs + secondMs) + 1);
        now = next ?? now;
        attemptsMade += 1;
      }
      expect(attemptsMade).toBe(mode === 'live' ? 10 : 4);
      expect(now.getTime() - at.getTime()).toBeLessThanOrEqual(91 * hourMs);
      expect(nextAttempt({ mode, attemptsMade, answer: refused, expiresAt, at: now, random: () => 0 })).toBeNull();
    });
  });

  test('adds jitter of at most a second or a fifth of the delay', () => {
    expect(waitMs({ attemptsMade: 1, random: 1 })).toBe(6 * secondMs);
    expect(waitMs({ attemptsMade: 9, random: 1 })).toBe(24 * hourMs * 1.2);
  });

  test.each([
    ['a timeout', { outcome: 'error', errorClass: 'timeout' } as const, minuteMs],
    ...[429, 502, 503, 504].map((status) => [`${status}`, busy(status), minuteMs] as const),
    ['500', busy(500), 5 * secondMs],
    ['301', busy(301), 5 * secondMs],
    ['a refused connection', { outcome: 'error', errorClass: 'connect' } as const, 5 * secondMs],
  ])('after %s waits at least a minute if the receiver is overloaded', (_name, answer, expectedMs) => {
    expect(modes.map((mode) => waitMs({ mode, answer }))).toEqual([expectedMs, expectedMs]);
    // Delays above a minute are unchanged.
    expect(waitMs({ attemptsMade: 3, answer })).toBe(30 * minuteMs);
  });

  const inSevenMinutes = new Date(at.getTime() + 7 * minuteMs).toUTCString();
  test.each([
    ['less than the step', '5', 5 * minuteMs],
    ['between the step and twice the step', '420', 7 * minuteMs],
    ['more than twice the step', '99999', 10 * minuteMs],
    ['more than any number', '9'.repeat(400), 10 * minuteMs],
    ['a negative number', '-1', 5 * minuteMs],
    ['a fraction', '420.5', 5 * minuteMs],
    ['no number', 'abc', 5 * minuteMs],
    ['a year that is no date', 'abc 2099', 5 * minuteMs],
    ['nothing', '', 5 * minuteMs],
    ['a date to come', inSevenMinutes, 7 * minuteMs],
    ['a date gone by', 'Wed, 21 Oct 2015 07:28:00 GMT', 5 * minuteMs],
    ['a date far away', 'Wed, 21 Oct 2099 07:28:00 GMT', 10 * minuteMs],
    ['a day that is none', 'Wed, 99 Foo 2099', 5 * minuteMs],
  ])('clamps a Retry-After of %s between the delay and twice the delay', (_name, retryAfter, expectedMs) => {
    expect(waitMs({ attemptsMade: 2, answer: busy(503, retryAfter) })).toBe(expectedMs);
  });

  const zones = ['UTC', 'America/New_York', 'Asia/Kolkata'];
  test.each(zones)('on a machine in %s reads every HTTP date format of Retry-After as GMT', (zone) => {
    const { href } = new URL('../../../common/webhooks/deliveries/retry-schedule.ts', import.meta.url);
    const forms = [
      'Sun, 01 Mar 2026 12:07:00 GMT',
      'Sunday, 01-Mar-26 12:07:00 GMT',
      'Sun Mar  1 12:07:00 2026',
      'Sun, 01 Mar 2026 12:07:00',
    ];
    const script = `
      import { nextAttempt } from ${JSON.stringify(href)};
      const at = new Date(${at.getTime()});
      const waits = ${JSON.stringify(forms)}.map((retryAfter) => {
        const answer = { outcome: 'answered', status: 503, retryAfter };
        return nextAttempt({ mode: 'live', attemptsMade: 2, answer, expiresAt: new Date(${expiresAt.getTime()}), at, random: () => 0 }) - at;
      });
      console.log(JSON.stringify({ waits, hour: new Date(0).getHours() }));`;
    const command = ['--input-type=module', '--eval', script];
    // A separate process, because Node reads the time zone at start.
    const printed = execFileSync(process.execPath, command, { env: { TZ: zone }, encoding: 'utf8', timeout: 30_000 });
    const { waits, hour } = JSON.parse(printed);
    expect(hour === 0).toBe(zone === 'UTC');
    expect(waits.map((ms: number) => Math.round(ms / secondMs))).toEqual(forms.map(() => 420));
  });

  test('never waits less than Retry-After or more than twice the delay, whatever the jitter', () => {
    forAny([fc.integer({ min: 0, max: 700 }), fc.double({ min: 0, max: 1, noNaN: true })], (requestedS, random) => {
      const waited = waitMs({ attemptsMade: 2, answer: busy(429, String(requestedS)), random }) ?? 0;
      expect(waited).toBeGreaterThanOrEqual(Math.min(Math.max(requestedS * secondMs, 5 * minuteMs), 10 * minuteMs));
      expect(waited).toBeLessThanOrEqual(10 * minuteMs);
    });
  });

  test('limits Retry-After of a 429 to two minutes when the delay is shorter than a minute', () => {
    expect(waitMs({ mode: 'test', attemptsMade: 1, answer: busy(429, '3600') })).toBe(2 * minuteMs);
    expect(waitMs({ mode: 'test', attemptsMade: 1, answer: busy(500, '3600') })).toBe(10 * secondMs);
  });

  test('plans no attempt after the 96 hours of a delivery', () => {
    const delivery = { organizationId: 'org_1', createdAt: at };
    expect(expiryOf(delivery, noPauses)).toEqual(expiresAt);
    const question = { mode: 'live', attemptsMade: 2, answer: refused, expiresAt, random: () => 0 } as const;
    const last = new Date(expiresAt.getTime() - 5 * minuteMs);
    expect(nextAttempt({ ...question, at: last })).toEqual(expiresAt);
    const late = { ...question, at: new Date(last.getTime() + 1) };
    expect(nextAttempt(late)).toBeNull();
    // Retried manually a millisecond after its creation, it has a millisecond more.
    const retried = expiryOf({ ...delivery, manualRetryAt: new Date(at.getTime() + 1) }, noPauses);
    expect(nextAttempt({ ...late, expiresAt: retried })).not.toBeNull();
  });
});
