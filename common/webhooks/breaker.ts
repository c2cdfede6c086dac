import { plusMs } from '../clock.ts';

const minuteMs = 60_000;

/** When an endpoint is left alone for a while, and for how long. */
export const breakerRules = {
  /** Attempts of this long count, by whole minutes. */
  windowMinutes: 5,
  minAttempts: 10,
  failedShare: 0.7,
  timeoutsInARow: 5,
  firstPauseMs: minuteMs,
  maxPauseMs: 15 * minuteMs,
} as const;

/** An endpoint that has failed for this long, without one success, is given up. */
export const maxFailingMs = 5 * 24 * 60 * minuteMs;

export type MinuteTally = { minute: number; attempts: number; failed: number };

/** How an endpoint has been doing. Kept on its row, so that every process sees it and a crash forgets little. */
export type EndpointHealth = {
  /** Attempts by the minute (since 1970) in which they ended, the oldest first. */
  tally: MinuteTally[];
  timeoutsInARow: number;
  /** Length of the last pause; 0 while there is none. Above 0 with the pause over, one attempt decides. */
  pauseMs: number;
  pausedUntil: Date | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
};

/** What an attempt says about its endpoint. */
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

/** The same health with its pause over: the next attempt alone decides what follows. */
export function endPause(health: EndpointHealth, at: Date): EndpointHealth {
  return isPaused(health, at) ? { ...health, pausedUntil: at } : health;
}

/** Whether the next attempt alone decides if the endpoint is well again. */
export function isProbing(health: EndpointHealth, at: Date): boolean {
  return health.pauseMs > 0 && !isPaused(health, at);
}

/** Whether it is time to give the endpoint up. */
export function hasFailedTooLong({ failingSince }: EndpointHealth, at: Date): boolean {
  return failingSince !== null && at.getTime() - failingSince.getTime() >= maxFailingMs;
}

/**
 * The health after one more attempt. Ten attempts in five minutes of which 70 % failed, or five timeouts in a row, pause
 * the endpoint for a minute; each probe that fails doubles the pause, to 15 minutes; one that succeeds ends it.
 */
export function noteOutcome(health: EndpointHealth, outcome: Outcome, at: Date): EndpointHealth {
  if (outcome === 'delivered') {
    // What was under way when the pause began says little: only an attempt after it ends it.
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
  const recent = tally.filter((one) => one.minute > minute - breakerRules.windowMinutes && one.minute < minute);
  const current = tally.find((one) => one.minute === minute) ?? { minute, attempts: 0, failed: 0 };
  const failed = current.failed + (isFailed ? 1 : 0);
  return [...recent, { minute, attempts: current.attempts + 1, failed }];
}
