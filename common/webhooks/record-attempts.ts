import { type Clock, plusMs } from '../clock.ts';
import { unjournaled } from '../platform/due-work.ts';
import type { Log } from '../platform/log.ts';
import { rowsOf } from '../platform/mongo.ts';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
  type DeliveryState,
} from './delivery.model.ts';
import { type DeliveryAnswer, isAccepted } from './delivery-answer.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { lateFromAttempt, nextAttempt } from './retry-schedule.ts';

/** What became of one delivery. */
export type Attempt = {
  delivery: DeliveryRecord;
  /** The lease of its endpoint: a row that somebody else has taken over since is left alone. */
  token: string;
  startedAt: Date;
  /** Where it went, or was about to; absent when nothing was begun. */
  url?: string;
  /** `unwanted`: its webhook was stopped before it was sent. `undecided`: not sent, for reasons of ours. */
  answer: DeliveryAnswer | 'unwanted' | 'undecided';
};

/** `random` jitters the next attempt: from 0 to below 1, as Math.random gives it. */
export type RecordDeps = { clock: Clock; log: Log; random: () => number; metrics: DeliveryMetrics };

/** The receiver wants no more: the webhook is disabled at once. */
const goneStatus = 410;

type Result = Pick<DeliveryRecord, 'state' | 'nextAttemptAt'> & { attempt?: number; lastResult?: string; url?: string };

/** Records attempts, of any endpoints, in two writes: the log for people, and the state that decides what is sent next. */
export async function recordAttempts(attempts: readonly Attempt[], deps: RecordDeps): Promise<void> {
  if (attempts.length === 0) return;
  const at = deps.clock.now();
  const results = attempts.map((attempt) => ({
    attempt,
    result: { ...resultOf(attempt, deps.random), ...movedTo(attempt) },
  }));
  await Promise.all([logAttempts(attempts, deps.log), storeResults(results, at)]);
  for (const { attempt, result } of results) count(attempt, result, at, deps.metrics);
}

async function logAttempts(attempts: readonly Attempt[], log: Log): Promise<void> {
  const rows = attempts.flatMap(toAttemptRow);
  if (rows.length === 0) return;
  await rowsOf<DeliveryAttemptRecord>(DeliveryAttempt)
    .insertMany(rows, { ordered: false, ...unjournaled })
    .catch((error: unknown) => {
      // The log of attempts is for people; a fault in it must not make a delivery go out again.
      log.warn({ err: error }, 'attempts not logged');
    });
}

/** Equal results share a write: most deliveries of a batch succeed at their first attempt. */
async function storeResults(results: readonly { attempt: Attempt; result: Result }[], at: Date): Promise<void> {
  const alike = Map.groupBy(results, ({ result }) => JSON.stringify(result));
  const writes = [...alike.values()].map((group) => {
    const { nextAttemptAt, ...rest } = (group[0] as (typeof group)[number]).result;
    const isLate = rest.attempt !== undefined && rest.attempt + 1 >= lateFromAttempt;
    return {
      updateMany: {
        filter: {
          _id: { $in: group.map(({ attempt }) => attempt.delivery._id) },
          // This process holds an endpoint under one lease at a time, so that each row can only bear its own.
          leaseToken: { $in: [...new Set(group.map(({ attempt }) => attempt.token))] },
        },
        update: { $set: { ...rest, nextAttemptAt, ...(isLate && { isLate }), leaseToken: null, updatedAt: at } },
      },
    };
  });
  await rowsOf<DeliveryRecord>(Delivery).bulkWrite(writes, { ordered: false });
}

/** The answer of an attempt that was really made; null when it says nothing about the receiver. */
export function realAnswer({ answer }: Pick<Attempt, 'answer'>): DeliveryAnswer | null {
  if (answer === 'unwanted' || answer === 'undecided') return null;
  return answer.outcome === 'error' && answer.errorClass === 'stopped' ? null : answer;
}

/** Whether the receiver has said that it wants no more. */
export function isGone(attempt: Pick<Attempt, 'answer'>): boolean {
  const answer = realAnswer(attempt);
  return answer?.outcome === 'answered' && answer.status === goneStatus;
}

function resultOf(made: Attempt, random: () => number): Result {
  const { delivery, startedAt } = made;
  if (made.answer === 'unwanted') return { state: 'discarded', nextAttemptAt: null };
  const answer = realAnswer(made);
  // Nothing is known of the receiver, so nothing is counted.
  if (!answer) return { state: 'due', nextAttemptAt: startedAt };
  const attempt = delivery.attempt + 1;
  const lastResult = answer.outcome === 'answered' ? String(answer.status) : answer.errorClass;
  if (isAccepted(answer)) return { state: 'delivered', attempt, lastResult, nextAttemptAt: null };
  if (delivery.isManual) return { state: 'failed', attempt, lastResult, nextAttemptAt: null };
  const { mode, createdAt, askedAt } = delivery;
  // The wait begins with the end of this attempt, not with that of the batch.
  const at = plusMs(startedAt, answer.durationMs);
  const life = { createdAt, ...(askedAt && { askedAt }) };
  const next = nextAttempt({ mode, attemptsMade: attempt, answer, ...life, at, random });

  return { state: next ? 'due' : 'failed', attempt, lastResult, nextAttemptAt: next };
}

/** Its webhook has got another url since the delivery was stored, and this attempt went there. */
function movedTo(made: Attempt): { url?: string } {
  const { delivery, url } = made;
  return url !== undefined && url !== delivery.url && realAnswer(made) ? { url } : {};
}

const resultNames: Partial<Record<DeliveryState, string>> = { due: 'retry' };

function count(made: Attempt, { state }: Result, at: Date, metrics: DeliveryMetrics): void {
  const answer = realAnswer(made);
  if (!answer && state === 'due') return;
  metrics.deliveries.inc({ result: resultNames[state] ?? state, error_class: errorClassOf(answer) });
  if (state !== 'delivered') return;
  const { eventAt, createdAt } = made.delivery;
  metrics.lag.observe(Math.max(0, at.getTime() - (eventAt ?? createdAt).getTime()) / 1_000);
}

/** `none` for what was taken or not sent; the class of an error, or that of the status: `4xx`. */
function errorClassOf(answer: DeliveryAnswer | null): string {
  if (!answer || isAccepted(answer)) return 'none';
  return answer.outcome === 'error' ? answer.errorClass : `${Math.floor(answer.status / 100)}xx`;
}

function toAttemptRow(made: Attempt): DeliveryAttemptRecord[] {
  const { delivery, startedAt } = made;
  const answer = realAnswer(made);
  if (!answer) return [];
  const number = delivery.attempt + 1;
  const { durationMs, remoteIp } = answer;
  const isAnswered = answer.outcome === 'answered';
  const row = {
    _id: `${delivery._id}:${number}`,
    deliveryId: delivery._id,
    number,
    startedAt,
    durationMs,
    status: isAnswered ? answer.status : null,
    errorClass: isAnswered ? null : answer.errorClass,
    replyHead: isAnswered ? answer.head : null,
    remoteIp,
  };
  return [row];
}
