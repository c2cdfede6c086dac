import { type Clock, plusMs } from '../clock.ts';
import type { Claim } from '../platform/due-work.ts';
import type { Log } from '../platform/log.ts';
import { Delivery, DeliveryAttempt, type DeliveryAttemptRecord, type DeliveryRecord } from './delivery.model.ts';
import { type DeliveryAnswer, isAccepted } from './delivery-answer.ts';
import { discardWaiting } from './delivery-batch.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { nextAttempt } from './retry-schedule.ts';
import { Webhook } from './webhook.model.ts';

/** What became of one delivery of a batch. */
export type Attempt = {
  delivery: DeliveryRecord;
  startedAt: Date;
  /** `unwanted`: its webhook was stopped before it was sent. `undecided`: nobody could tell, so it was not sent. */
  answer: DeliveryAnswer | 'unwanted' | 'undecided';
};

/** `random` jitters the next attempt: from 0 to below 1, as Math.random gives it. */
export type RecordDeps = { clock: Clock; log: Log; random: () => number };

/** The receiver wants no more: the webhook is disabled at once. */
const goneStatus = 410;

/** Records a batch in two writes. A row whose lease was lost meanwhile is left to whoever has it now. */
export async function recordAttempts(
  claim: Claim<EndpointRecord>,
  attempts: readonly Attempt[],
  { clock, log, random }: RecordDeps,
): Promise<void> {
  if (attempts.length === 0) return;
  const at = clock.now();
  await DeliveryAttempt.insertMany(attempts.flatMap(toAttemptRow), { ordered: false }).catch((error: unknown) => {
    // The log of attempts is for people; a fault in it must not make a delivery go out again.
    log.warn({ err: error }, 'attempts not logged');
  });
  await Delivery.bulkWrite(
    attempts.map((attempt) => ({
      updateOne: {
        filter: { _id: attempt.delivery._id, leaseToken: claim.token },
        update: { $set: { ...resultOf(attempt, random), leaseToken: null, updatedAt: at } },
      },
    })),
  );
  if (attempts.some(isGone)) await disableEndpoint(claim.row, at, log);
}

/** The answer of an attempt that was really made; null when it says nothing about the receiver. */
function realAnswer({ answer }: Attempt): DeliveryAnswer | null {
  if (answer === 'unwanted' || answer === 'undecided') return null;
  return answer.outcome === 'error' && answer.errorClass === 'stopped' ? null : answer;
}

/** Whether the receiver has said that it wants no more. */
export function isGone(attempt: Attempt): boolean {
  const answer = realAnswer(attempt);
  return answer?.outcome === 'answered' && answer.status === goneStatus;
}

function resultOf(made: Attempt, random: () => number): Partial<DeliveryRecord> {
  const { delivery, startedAt } = made;
  if (made.answer === 'unwanted') return { state: 'discarded', nextAttemptAt: null };
  const answer = realAnswer(made);
  // Nothing is known of the receiver, so nothing is counted.
  if (!answer) return { state: 'due', nextAttemptAt: startedAt };
  const attempt = delivery.attempt + 1;
  const lastResult = answer.outcome === 'answered' ? String(answer.status) : answer.errorClass;
  if (isAccepted(answer)) return { state: 'delivered', attempt, lastResult, nextAttemptAt: null };
  if (delivery.isManual) return { state: 'failed', attempt, lastResult, nextAttemptAt: null };
  const { mode, createdAt } = delivery;
  // The wait begins with the end of this attempt, not with that of the batch.
  const at = plusMs(startedAt, answer.durationMs);
  const next = nextAttempt({ mode, attemptsMade: attempt, answer, createdAt, at, random });

  return { state: next ? 'due' : 'failed', attempt, lastResult, nextAttemptAt: next };
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

async function disableEndpoint({ _id, webhookId }: EndpointRecord, at: Date, log: Log): Promise<void> {
  // A job's own address is nobody's to disable: its next job may bring another path of the same origin.
  if (webhookId === null) return;
  await Webhook.updateOne(
    { _id: webhookId, status: 'active', deletedAt: null },
    { status: 'disabled', disabledReason: 'GONE', updatedAt: at },
  );
  await discardWaiting(_id, at, false);
  log.warn({ webhookId }, 'webhook disabled: its receiver answered 410');
}
