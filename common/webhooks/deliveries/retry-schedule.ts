import { hourMs, plusMs } from '#common/clock.ts';
import type { Mode } from '#common/modes.ts';
import type { PauseView } from '#common/platform/due-work/pauses.ts';
import type { ErrorClass } from '../egress/delivery-answer.ts';
import { deliveryWork } from '../endpoints/endpoint.model.ts';
import type { DeliveryRecord } from './delivery.model.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** Delays before attempt 2, 3, …. Those of live mode are from Standard Webhooks 1.0.0. */
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

/** From this attempt on, first attempts of the same endpoint go first. */
export const lowPriorityFromAttempt = 3;

/** Maximum age of a delivery, whatever the number of its attempts. */
export const deliveryTtlMs = 96 * hourMs;

/**
 * Returns when a delivery expires: 96 hours after its creation or last manual retry, and later by as long as an operator
 * has paused its webhook since.
 */
export function expiryOf(
  { organizationId, createdAt, manualRetryAt }: Pick<DeliveryRecord, 'organizationId' | 'createdAt' | 'manualRetryAt'>,
  paused: PauseView,
): Date {
  const from = manualRetryAt ?? createdAt;
  return plusMs(from, deliveryTtlMs + paused.endedMsSince(deliveryWork.queue, organizationId, from));
}

/** Statuses that mean "overloaded": the next attempt waits at least a minute. */
const overloadedStatuses: readonly number[] = [429, 502, 503, 504];
const overloadedStepMs = minuteMs;
const jitterShare = 0.2;
const minJitterMs = secondMs;

/** The part of an answer that the schedule depends on. */
export type FailedAnswer =
  | { outcome: 'answered'; status: number; retryAfter: string | null }
  | { outcome: 'error'; errorClass: ErrorClass };

type RetryInput = {
  mode: Mode;
  /** Number of attempts so far: 1 after the first. */
  attemptsMade: number;
  answer: FailedAnswer;
  at: Date;
  /** See `expiryOf`. */
  expiresAt: Date;
  /** In [0, 1). */
  random: () => number;
};

/**
 * Returns when to retry a failed delivery; null when its attempts or its time are used up. Jitter only adds to the
 * delay. A Retry-After is clamped between the scheduled delay and twice that delay.
 */
export function nextAttempt({ mode, attemptsMade, answer, at, expiresAt, random }: RetryInput): Date | null {
  const delayMs = retryDelaysMs[mode][attemptsMade - 1];
  if (delayMs === undefined) return null;
  const stepMs = isOverloaded(answer) ? Math.max(delayMs, overloadedStepMs) : delayMs;
  const requestedMs = answer.outcome === 'answered' ? parseRetryAfterMs(answer.retryAfter, at) : null;
  const jitterMs = unitInterval(random()) * Math.max(stepMs * jitterShare, minJitterMs);
  const waitMs =
    requestedMs === null
      ? stepMs + jitterMs
      : Math.min(Math.min(Math.max(requestedMs, stepMs), 2 * stepMs) + jitterMs, 2 * stepMs);
  const next = plusMs(at, Math.ceil(waitMs));

  return next > expiresAt ? null : next;
}

function isOverloaded(answer: FailedAnswer): boolean {
  return answer.outcome === 'error' ? answer.errorClass === 'timeout' : overloadedStatuses.includes(answer.status);
}

/** Parses seconds or an HTTP date (RFC 9110) to milliseconds from `at`, negative for the past; null when invalid. */
function parseRetryAfterMs(text: string | null, at: Date): number | null {
  const trimmed = text?.trim() ?? '';
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * secondMs;
  // Date.parse alone reads "-1" as a day in 2001.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[, ]/.test(trimmed)) return null;
  // The asctime form has no zone and means GMT, but Date.parse would assume the local zone.
  const hasNoZone = /:\d\d( \d{4})?$/.test(trimmed);
  const moment = Date.parse(hasNoZone ? `${trimmed} GMT` : trimmed);
  return Number.isNaN(moment) ? null : moment - at.getTime();
}

/** Clamps to [0, 1], NaN to 0: a bad random number must not move a retry out of its bounds. */
function unitInterval(random: number): number {
  return random > 0 ? Math.min(random, 1) : 0;
}
