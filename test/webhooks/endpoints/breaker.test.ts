// Level: unit
import fc from 'fast-check';
import { plusMs } from '#common/clock.ts';
import {
  applyOutcome,
  hasFailedTooLong,
  isPaused,
  isProbing,
  newHealth,
  type Outcome,
} from '#common/webhooks/endpoints/breaker.ts';
import type { EndpointHealth } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, expect, forAny, test } from '#test/support/jest.ts';

const at = new Date('2026-03-02T10:00:00.000Z');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const healthAfter = (outcomes: readonly Outcome[], health: EndpointHealth = newHealth, from = at, stepMs = 0) =>
  outcomes.reduce((now, outcome, index) => applyOutcome(now, outcome, plusMs(from, index * stepMs)), health);
const many = (count: number, outcome: Outcome): Outcome[] => Array.from({ length: count }, () => outcome);

describe('the pause of an endpoint', () => {
  test.each([
    ['nine failures', many(9, 'failed'), false],
    ['ten failures', many(10, 'failed'), true],
    ['seven failures of ten', [...many(3, 'delivered'), ...many(7, 'failed')], true],
    ['six failures of ten', [...many(4, 'delivered'), ...many(6, 'failed')], false],
    ['four timeouts in a row', many(4, 'timeout'), false],
    ['five timeouts in a row', many(5, 'timeout'), true],
    ['five timeouts with a success among them', [...many(4, 'timeout'), 'delivered', 'timeout'] as Outcome[], false],
  ])('starts or not as documented after %s within a minute', (_what, outcomes, isPausedAfter) => {
    expect(isPaused(healthAfter(outcomes), at)).toBe(isPausedAfter);
  });

  test('does not start after ten failures spread over more than five minutes', () => {
    expect(healthAfter(many(10, 'failed'), newHealth, at, 40_000).pauseMs).toBe(0);
    expect(healthAfter(many(10, 'failed'), newHealth, at, 25_000).pauseMs).toBe(minuteMs);
  });

  test('doubles with each failed probe up to 15 minutes', () => {
    let [health, now] = [healthAfter(many(10, 'failed')), at];
    const pausesMin: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      pausesMin.push(health.pauseMs / minuteMs);
      expect(isPaused(health, plusMs(now, health.pauseMs - 1))).toBe(true);
      now = plusMs(now, health.pauseMs);
      expect([isPaused(health, now), isProbing(health, now)]).toEqual([false, true]);
      health = applyOutcome(health, 'failed', now);
    }
    expect(pausesMin).toEqual([1, 2, 4, 8, 15, 15]);
    expect(applyOutcome(health, 'delivered', plusMs(now, 15 * minuteMs))).toMatchObject({
      pauseMs: 0,
      pausedUntil: null,
    });
  });

  test('does not change when posts end that were in flight at its start', () => {
    const paused = healthAfter(many(10, 'failed'));
    expect(healthAfter(many(9, 'failed'), paused).pausedUntil).toEqual(paused.pausedUntil);
    expect(applyOutcome(paused, 'delivered', plusMs(at, 1))).toMatchObject({ pausedUntil: paused.pausedUntil });
  });

  test('stays in its bounds, and the record stays small, for any outcomes', () => {
    const step = fc.tuple(
      fc.constantFrom<Outcome>('delivered', 'failed', 'timeout'),
      fc.integer({ min: 0, max: dayMs }),
    );
    forAny([fc.array(step, { maxLength: 60 })], (steps) => {
      let [health, now] = [newHealth, at];
      for (const [outcome, stepMs] of steps) {
        now = plusMs(now, stepMs);
        health = applyOutcome(health, outcome, now);
        expect(health.tally.length).toBeLessThanOrEqual(5);
        expect(health.pauseMs).toBeLessThanOrEqual(15 * minuteMs);
        if (outcome === 'delivered') expect(health.failingSince).toBeNull();
      }
    });
  });
});

describe('the five-day limit', () => {
  test('is reached after failures for five days without a success', () => {
    const health = healthAfter(many(11, 'failed'), newHealth, at, dayMs / 2);
    expect(hasFailedTooLong(health, plusMs(at, 5 * dayMs - 1))).toBe(false);
    expect(hasFailedTooLong(health, plusMs(at, 5 * dayMs))).toBe(true);
  });

  test('starts again after a success', () => {
    const health = healthAfter(
      [...many(8, 'failed'), 'delivered', ...many(9, 'failed')] as Outcome[],
      newHealth,
      at,
      dayMs / 2,
    );
    expect(hasFailedTooLong(health, plusMs(at, 9 * dayMs))).toBe(false);
    expect(hasFailedTooLong(health, plusMs(at, 9.5 * dayMs))).toBe(true);
  });

  test('is not reached, and no pause starts, with three failures in ten for weeks', () => {
    const pattern: Outcome[] = [...many(3, 'failed'), ...many(7, 'delivered')];
    let health = newHealth;
    for (let index = 0; index < 1_000; index += 1) {
      const now = plusMs(at, index * 30 * minuteMs);
      health = applyOutcome(health, pattern[index % 10]!, now);
      expect([isPaused(health, now), hasFailedTooLong(health, now)]).toEqual([false, false]);
    }
  });
});
