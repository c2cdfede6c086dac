import { plusMs } from '../clock.ts';
import type { Mode } from '../modes.ts';
import type { ErrorClass } from './delivery-answer.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Waits in milliseconds before attempt 2, 3, …; the live ones are those of Standard Webhooks 1.0.0. */
export const retryDelaysMs: Readonly<Record<Mode, readonly number[]>> = {
  live: [
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
    20 * hourMs,
    24 * hourMs,
  ],
  test: [5 * secondMs, minuteMs, 5 * minuteMs],
};

/** From this attempt on a delivery gives way to the first attempts of its endpoint. */
export const lateFromAttempt = 3;

/** A delivery is not tried any more after this time, whatever its attempts. */
const lifeMs = 96 * hourMs;

/** Until when a delivery may be tried: 96 hours from its beginning, or from when its owner last asked for it. */
export function endOfLife({ createdAt, askedAt }: { createdAt: Date; askedAt?: Date }): Date {
  return plusMs(askedAt ?? createdAt, lifeMs);
}

/** Answers that mean "overloaded": the next attempt waits a minute at least. */
const overloadedStatuses: readonly number[] = [429, 502, 503, 504];
const overloadedStepMs = minuteMs;
const jitterShare = 0.2;
const minJitterMs = secondMs;

/** As much of an attempt's answer as the schedule looks at. */
export type FailedAnswer =
  | { outcome: 'answered'; status: number; retryAfter: string | null }
  | { outcome: 'error'; errorClass: ErrorClass };

export type RetryQuestion = {
  mode: Mode;
  /** How many attempts have been made: 1 after the first. */
  attemptsMade: number;
  answer: FailedAnswer;
  createdAt: Date;
  /** When its owner last asked for it. */
  askedAt?: Date;
  at: Date;
  /** From 0 to below 1, as Math.random gives it. */
  random: () => number;
};

/**
 * When a failed delivery is tried again; null when its attempts or its 96 hours are used up.
 * The jitter only adds, so that an attempt is never early. A Retry-After counts between the step and twice the step.
 */
export function nextAttempt({ mode, attemptsMade, answer, at, random, ...life }: RetryQuestion): Date | null {
  const delayMs = retryDelaysMs[mode][attemptsMade - 1];
  if (delayMs === undefined) return null;
  const stepMs = isOverloaded(answer) ? Math.max(delayMs, overloadedStepMs) : delayMs;
  const askedMs = answer.outcome === 'answered' ? parseRetryAfterMs(answer.retryAfter, at) : null;
  const jitterMs = unitInterval(random()) * Math.max(stepMs * jitterShare, minJitterMs);
  const waitMs =
    askedMs === null
      ? stepMs + jitterMs
      : Math.min(Math.min(Math.max(askedMs, stepMs), 2 * stepMs) + jitterMs, 2 * stepMs);
  const next = plusMs(at, Math.ceil(waitMs));

  return next > endOfLife(life) ? null : next;
}

function isOverloaded(answer: FailedAnswer): boolean {
  return answer.outcome === 'error' ? answer.errorClass === 'timeout' : overloadedStatuses.includes(answer.status);
}

/** Seconds or an HTTP date, as milliseconds from `at`, negative for the past; null when it is neither. */
function parseRetryAfterMs(text: string | null, at: Date): number | null {
  const trimmed = text?.trim() ?? '';
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * secondMs;
  // Date.parse alone takes "-1" for a day in 2001.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[, ]/.test(trimmed)) return null;
  // The asctime form names no zone: GMT is meant, and Date.parse would take the machine's.
  const hasNoZone = /:\d\d( \d{4})?$/.test(trimmed);
  const moment = Date.parse(hasNoZone ? `${trimmed} GMT` : trimmed);
  return Number.isNaN(moment) ? null : moment - at.getTime();
}

/** A random number that is none (NaN, below 0, above 1) must not move a delivery out of its bounds. */
function unitInterval(random: number): number {
  return random > 0 ? Math.min(random, 1) : 0;
}
