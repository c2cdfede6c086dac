import { systemClock } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { Event } from '#common/events/event.model.ts';
import { updateRows } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { startSpan } from '#common/platform/spans/tracing.ts';
import { appendMailEvents } from '../events/mail-event.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { MailStatus } from '../model/mail-status.ts';
import { findTransition } from '../rules/lifecycle.ts';
import { appendHistory, historyIdOf, ItemHistory } from './item-history.model.ts';
import { type ItemMove, planMoves, toChange, toHistory } from './plan-moves.ts';
import { type ItemRefund, refundItems } from './refund-items.ts';

export type ItemsMoved = {
  /** The job after the move. */
  job: MailJobRecord;
  previousStatus: MailStatus;
  /** The event of the job's new status; null while its slowest item has not moved. */
  eventId: string | null;
  refunds: ItemRefund[];
  /** One of the steps that were recorded for the move. */
  historyId: string;
};

/**
 * Moves items of a job: their status and history, the status of the job, refunds, event and next step in one
 * transaction. This is the only writer of the status of items. Of concurrent calls, each advances at most one step.
 * Throws NOT_FOUND, or CONFLICT when none of the items has such a transition.
 */
export async function advanceItems(move: ItemMove, at: Date): Promise<ItemsMoved> {
  const [outcome] = await advanceItemsOf([move], at);
  if (!outcome || outcome instanceof Error) throw outcome;
  return outcome;
}

/**
 * Moves items of several jobs as `advanceItems` does, all in one transaction until `endsAt` (`performance.now()`).
 * Returns the outcomes in the same order. An error as outcome refuses that one move, and the others are made.
 */
export async function advanceItemsOf(
  moves: readonly ItemMove[],
  at: Date,
  endsAt?: number,
): Promise<(ItemsMoved | AppError)[]> {
  const work = (transaction: Transaction) => applyMoves(transaction, moves, at);
  const startedAt = systemClock.now();
  try {
    const outcomes = await inTransaction(work, { isStored, ...(endsAt !== undefined && { endsAt }) });
    for (const { job } of withoutErrors(outcomes)) traceMove(job, startedAt);
    return outcomes;
  } catch (error) {
    if (error instanceof AllRefusedError) return [...error.reasons];
    throw error;
  }
}

/** Adds the transaction of a move to the trace of its letter: the work that moves it, such as a batch, is of many letters. */
function traceMove({ _id, status, traceparent }: MailJobRecord, startedAt: Date): void {
  if (traceparent === undefined) return;
  const attributes = { 'bluejay.mail_job_id': _id, 'bluejay.status': status };
  startSpan(`letter ${status}`, { kind: 'internal', parent: traceparent, attributes, startedAt }).end();
}

/** Aborts a transaction that has nothing to write: its commit would wait for the database. */
class AllRefusedError extends Error {
  readonly reasons: readonly AppError[];

  constructor(reasons: readonly AppError[]) {
    super('No move can be made.');
    this.reasons = reasons;
  }
}

/** A row proves a commit whose result is unknown. A blind retry would take a second step. */
async function isStored(transaction: Transaction, outcomes: readonly (ItemsMoved | AppError)[]): Promise<boolean> {
  const moved = withoutErrors(outcomes);
  const event = moved.find(({ eventId }) => eventId !== null);
  if (event?.eventId != null) return await isInserted(transaction, Event, event.eventId, event.job);
  return await isInserted(transaction, ItemHistory, moved[0]?.historyId ?? '', moved[0]?.job);
}

function withoutErrors<Outcome extends object>(outcomes: readonly (Outcome | AppError)[]): Outcome[] {
  return outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : [outcome]));
}

async function applyMoves(
  transaction: Transaction,
  moves: readonly ItemMove[],
  at: Date,
): Promise<(ItemsMoved | AppError)[]> {
  const plans = await planMoves(transaction, moves, at);
  const made = withoutErrors(plans);
  if (made.length === 0) throw new AllRefusedError(plans.filter((plan) => plan instanceof AppError));
  if ((await updateRows(MailJob, made.map(toChange), transaction)) !== made.length) {
    throw new Error('A mail job changed since its transaction read it');
  }
  const reported = made.filter(({ before, job }) => job.status !== before.status);
  const eventIds = await appendMailEvents(
    transaction,
    reported.map(({ job }) => job),
    at,
  );
  const failing = made.map(({ before: job, moving, move }) => {
    const refunded = moving.filter(({ status }) => findTransition(status, move.target)?.isRefunded);
    return { job, itemIds: refunded.map(({ itemId }) => itemId) };
  });
  const refunds = new Map((await refundItems(transaction, failing, at)).map((refund) => [refund.itemId, refund]));
  const steps = new Map(made.map((plan) => [plan, toHistory(plan, refunds)]));
  await appendHistory(transaction, [...steps.values()].flat());
  for (const { move } of made) await move.alongside?.(transaction);

  return plans.map((plan) => {
    if (plan instanceof AppError) return plan;
    return {
      job: plan.job,
      previousStatus: plan.before.status,
      eventId: eventIds[reported.indexOf(plan)] ?? null,
      refunds: plan.moving.flatMap(({ itemId }) => refunds.get(itemId) ?? []),
      historyId: steps.get(plan)?.map(historyIdOf)[0] ?? '',
    };
  });
}
