import { type Clock, plusMs } from '#common/clock.ts';
import { createBatcher } from '#common/platform/concurrency/create-batcher.ts';
import { idHint, isAmong, unjournaled } from '#common/platform/due-work/due-work.ts';
import type { Pauses } from '#common/platform/due-work/pauses.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Log } from '#common/platform/process/log.ts';
import { readLetterTimes } from '#common/sandbox/clocks/letter-time.ts';
import { type DeliveryAnswer, isAccepted } from '../egress/delivery-answer.ts';
import {
  consentEnded,
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
  type DeliveryState,
} from './delivery.model.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { expiryOf, lowPriorityFromAttempt, nextAttempt } from './retry-schedule.ts';

/** One delivery and its outcome. */
export type Attempt = {
  delivery: DeliveryRecord;
  /** Lease of its endpoint. A row that another worker has claimed since is not changed. */
  token: string;
  startedAt: Date;
  /** URL of the post; absent when no post was started. */
  url?: string;
  /** Epoch of its webhook after the attempt; absent when no post was started or the webhook is disabled or deleted. */
  epoch?: number;
  /**
   * `unwanted`: its webhook was disabled or deleted before the post. `consent_ended`: its grant has ended. `undecided`: not
   * posted for internal reasons.
   */
  answer: DeliveryAnswer | 'unwanted' | typeof consentEnded | 'undecided';
};

/** `random` returns the jitter of the next attempt, in [0, 1). */
export type RecordDeps = { clock: Clock; log: Log; random: () => number; metrics: DeliveryMetrics; pauses: Pauses };

/** The receiver wants no more deliveries: the webhook is disabled at once. */
const goneStatus = 410;

type Result = Pick<DeliveryRecord, 'state' | 'nextAttemptAt'> &
  Partial<Pick<DeliveryRecord, 'attempt' | 'url' | 'epoch'>> & { lastResult?: string; 'clock.retryAt'?: Date };

/** Records the attempts of all endpoints of a process in shared writes. */
export type AttemptRecorder = {
  /** Settles when the attempt is stored. Rejects when that failed; the delivery will be sent again. */
  record(attempt: Attempt): Promise<void>;
};

const maxBatch = 500;

/**
 * Creates the recorder of a process. Each endpoint session waits for the write before its next post, which limits what
 * a killed process repeats to the posts in flight.
 */
export function createAttemptRecorder(deps: RecordDeps): AttemptRecorder {
  const record = createBatcher<Attempt, undefined>({
    maxItems: maxBatch,
    async run(attempts) {
      await recordAttempts(attempts, deps);
      return attempts.map(() => undefined);
    },
  });
  return { record };
}

/** Records attempts of any endpoints in two writes: the attempt log for people, and the state of the deliveries. */
async function recordAttempts(attempts: readonly Attempt[], deps: RecordDeps): Promise<void> {
  const at = deps.clock.now();
  const timeOf = await readLetterTimes(
    attempts.map(({ delivery }) => delivery),
    at,
  );
  const results = attempts.map((attempt) => ({
    attempt,
    result: { ...resultOf(attempt, deps, timeOf(attempt.delivery)), ...changedTarget(attempt) },
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
      // The attempt log is for people: its failure must not repeat deliveries.
      log.warn({ err: error }, 'attempts not logged');
    });
}

/** Groups equal results into one write: most deliveries of a batch succeed at the first attempt. */
async function storeResults(results: readonly { attempt: Attempt; result: Result }[], at: Date): Promise<void> {
  const groups = Map.groupBy(results, ({ result }) => JSON.stringify(result));
  const writes = [...groups.values()].map((group) => {
    const { nextAttemptAt, ...rest } = (group[0] as (typeof group)[number]).result;
    const isLowPriority = rest.attempt !== undefined && rest.attempt + 1 >= lowPriorityFromAttempt;
    return {
      updateMany: {
        filter: {
          ...isAmong(group.map(({ attempt }) => attempt.delivery)),
          // A set of tokens is enough: a process holds one lease per endpoint at a time.
          leaseToken: { $in: [...new Set(group.map(({ attempt }) => attempt.token))] },
        },
        update: {
          $set: { ...rest, nextAttemptAt, ...(isLowPriority && { isLowPriority }), leaseToken: null, updatedAt: at },
        },
        ...idHint,
      },
    };
  });
  await rowsOf<DeliveryRecord>(Delivery).bulkWrite(writes, { ordered: false });
}

/** Returns the answer of a post; null when there was no post or the outcome says nothing about the receiver. */
export function receiverAnswer({ answer }: Pick<Attempt, 'answer'>): DeliveryAnswer | null {
  if (typeof answer === 'string') return null;
  return answer.outcome === 'error' && answer.errorClass === 'stopped' ? null : answer;
}

/** Whether the receiver answered 410. */
export function isGone(attempt: Pick<Attempt, 'answer'>): boolean {
  const answer = receiverAnswer(attempt);
  return answer?.outcome === 'answered' && answer.status === goneStatus;
}

/** `letterAt`: the time on the test clock of its mail job, for a delivery that has one. */
function resultOf(made: Attempt, { random, pauses }: RecordDeps, letterAt: Date): Result {
  const { delivery, startedAt } = made;
  if (made.answer === 'unwanted') return { state: 'discarded', nextAttemptAt: null };
  if (made.answer === consentEnded) return { state: 'discarded', lastResult: consentEnded, nextAttemptAt: null };
  const answer = receiverAnswer(made);
  // An outcome that says nothing about the receiver does not count as an attempt.
  if (!answer) return { state: 'due', nextAttemptAt: startedAt };
  const attempt = delivery.attempt + 1;
  const lastResult = answer.outcome === 'answered' ? String(answer.status) : answer.errorClass;
  if (isAccepted(answer)) return { state: 'delivered', attempt, lastResult, nextAttemptAt: null };
  if (delivery.isManual) return { state: 'failed', attempt, lastResult, nextAttemptAt: null };
  // The delay starts at the end of this attempt, not of the batch.
  const at = plusMs(startedAt, answer.durationMs);
  const expiresAt = expiryOf(delivery, pauses.latest());
  const next = nextAttempt({ mode: delivery.mode, attemptsMade: attempt, answer, expiresAt, at, random });
  if (!next) return { state: 'failed', attempt, lastResult, nextAttemptAt: null };
  const retryAt = delivery.clock && { 'clock.retryAt': plusMs(letterAt, next.getTime() - at.getTime()) };
  return { state: 'due', attempt, lastResult, nextAttemptAt: next, ...retryAt };
}

/**
 * Returns the URL of this attempt and the webhook's epoch where they differ from the stored ones. The new epoch keeps
 * the delivery alive when its webhook was disabled and re-enabled during the attempt.
 */
function changedTarget(made: Attempt): Pick<Result, 'url' | 'epoch'> {
  const { delivery, url, epoch } = made;
  if (!receiverAnswer(made)) return {};
  return {
    ...(url !== undefined && url !== delivery.url && { url }),
    ...(epoch !== undefined && epoch !== delivery.epoch && { epoch }),
  };
}

const resultNames: Partial<Record<DeliveryState, string>> = { due: 'retry' };

function count(made: Attempt, { state }: Result, at: Date, metrics: DeliveryMetrics): void {
  const answer = receiverAnswer(made);
  if (!answer && state === 'due') return;
  metrics.deliveries.inc({ result: resultNames[state] ?? state, error_class: errorClassOf(answer) });
  if (state !== 'delivered') return;
  const { eventAt } = made.delivery;
  metrics.lag.observe(Math.max(0, at.getTime() - eventAt.getTime()) / 1_000);
}

/** Returns `none` for success or no post, an error class, or a status class such as `4xx`. */
function errorClassOf(answer: DeliveryAnswer | null): string {
  if (!answer || isAccepted(answer)) return 'none';
  return answer.outcome === 'error' ? answer.errorClass : `${Math.floor(answer.status / 100)}xx`;
}

function toAttemptRow(made: Attempt): DeliveryAttemptRecord[] {
  const { delivery, startedAt } = made;
  const answer = receiverAnswer(made);
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
