import { plusMs } from '#common/clock.ts';
import type { EndpointHealth, MinuteTally } from './endpoint.model.ts';

const minuteMs = 60_000;

/** Circuit breaker: when an endpoint is paused, and for how long. */
const breakerRules = {
  /** Size of the sliding window of counted attempts. */
  windowMinutes: 5,
  minAttempts: 10,
  failedShare: 0.7,
  timeoutsInARow: 5,
  firstPauseMs: minuteMs,
  maxPauseMs: 15 * minuteMs,
} as const;

/** A webhook that fails for this long without a success is disabled. */
const maxFailingMs = 5 * 24 * 60 * minuteMs;

export type Outcome = 'delivered' | 'failed' | 'timeout';

export const newHealth: EndpointHealth = {
  tally: [],
  timeoutsInARow: 0,
  pauseMs: 0,
  pausedUntil: null,
  failingSince: null,
};

export function isPaused({ pausedUntil }: EndpointHealth, at: Date): boolean {
  return pausedUntil !== null && at < pausedUntil;
}

/** Returns the same health with its pause ended: the next attempt is a probe. */
export function endPause(health: EndpointHealth, at: Date): EndpointHealth {
  return isPaused(health, at) ? { ...health, pausedUntil: at } : health;
}

/** Whether the next attempt is a probe: it alone decides between recovery and a longer pause. */
export function isProbing(health: EndpointHealth, at: Date): boolean {
  return health.pauseMs > 0 && !isPaused(health, at);
}

/** Whether the endpoint has failed without a success for `maxFailingMs`. */
export function hasFailedTooLong({ failingSince }: EndpointHealth, at: Date): boolean {
  return failingSince !== null && at.getTime() - failingSince.getTime() >= maxFailingMs;
}

/**
 * Returns the health after one more attempt. A pause of a minute starts after five timeouts in a row, or when 70 % of
 * at least ten attempts in five minutes failed. Each failed probe doubles the pause, up to 15 minutes. A successful
 * probe resets it.
 */
export function applyOutcome(health: EndpointHealth, outcome: Outcome, at: Date): EndpointHealth {
  if (outcome === 'delivered') {
    // This post was in flight when the pause started: only a later probe may end the pause.
    if (isPaused(health, at)) return { ...health, timeoutsInARow: 0, failingSince: null };
    const tally = health.pauseMs > 0 ? [] : health.tally;
    return { ...newHealth, tally: addTo(tally, { at, isFailed: false }) };
  }
  const failed: EndpointHealth = {
    ...health,
    tally: addTo(health.tally, { at, isFailed: true }),
    timeoutsInARow: outcome === 'timeout' ? health.timeoutsInARow + 1 : 0,
    failingSince: health.failingSince ?? at,
  };
  if (isPaused(health, at)) return failed;
  if (health.pauseMs > 0) return paused(failed, Math.min(2 * health.pauseMs, breakerRules.maxPauseMs), at);
  return isTripped(failed) ? paused(failed, breakerRules.firstPauseMs, at) : failed;
}

function paused(health: EndpointHealth, pauseMs: number, at: Date): EndpointHealth {
  return { ...health, pauseMs, pausedUntil: plusMs(at, pauseMs) };
}

function isTripped({ tally, timeoutsInARow }: EndpointHealth): boolean {
  if (timeoutsInARow >= breakerRules.timeoutsInARow) return true;
  const attempts = tally.reduce((sum, minute) => sum + minute.attempts, 0);
  const failed = tally.reduce((sum, minute) => sum + minute.failed, 0);
  return attempts >= breakerRules.minAttempts && failed >= attempts * breakerRules.failedShare;
}

function addTo(tally: readonly MinuteTally[], { at, isFailed }: { at: Date; isFailed: boolean }): MinuteTally[] {
  const minute = Math.floor(at.getTime() / minuteMs);
  const recent = tally.filter((entry) => entry.minute > minute - breakerRules.windowMinutes && entry.minute < minute);
  const current = tally.find((entry) => entry.minute === minute) ?? { minute, attempts: 0, failed: 0 };
  const failed = current.failed + (isFailed ? 1 : 0);
  return [...recent, { minute, attempts: current.attempts + 1, failed }];
}
