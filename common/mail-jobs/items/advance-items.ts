import { AppError, notFound } from '#common/errors.ts';
import { Event } from '#common/events/event.model.ts';
import type { Owner } from '#common/modes.ts';
import { findRows, updateRows } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { readLetterTimes } from '#common/sandbox-clocks/sandbox-clock.model.ts';
import { appendMailEvents } from '../events/mail-event.ts';
import type { Failure } from '../model/failure.ts';
import { findTransition, type MailStatus, nextStatus, statusOfItems } from '../model/lifecycle.ts';
import { type MailItem, MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import { clockOf } from '../sandbox/item-steps.ts';
import {
  appendHistory,
  type HistoryActor,
  type HistoryDetail,
  type HistoryStep,
  historyIdOf,
  ItemHistory,
} from './item-history.model.ts';
import { type ItemRefund, refundItems } from './refund-items.ts';
import { retentionAfter } from './retention-after.ts';
import { nextSandboxStep } from './sandbox-steps.ts';

/** A move of items of one mail job. */
export type ItemMove = {
  mailJobId: string;
  /** The job must belong to this owner. Absent for workers and admin commands. */
  owner?: Owner;
  /** The items that move. Absent: those whose status is that of the job, for a `target` all that have not failed. */
  itemIds?: readonly string[];
  /** The job must still have this status: it may have changed since the caller read it. */
  from?: MailStatus;
  /** The new status; absent for one step. */
  target?: MailStatus | undefined;
  /** Required when the target is `failed`. */
  failure?: Failure;
  /** What the history keeps about the move. A failure is kept in any case. */
  detail?: HistoryDetail;
  by: HistoryActor;
  /** Throws an AppError when the job, as the transaction reads it, must not move. */
  require?: (job: MailJobRecord) => void;
  /** Further writes in the same transaction. */
  alongside?: (transaction: Transaction) => Promise<void>;
  /** Seconds until the next automatic step of a sandbox job. */
  nextStepDelayS: number;
};

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
  try {
    return await inTransaction(work, { isStored, ...(endsAt !== undefined && { endsAt }) });
  } catch (error) {
    if (error instanceof AllRefusedError) return [...error.reasons];
    throw error;
  }
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
  if (event?.eventId != null) return await isInserted(transaction, Event, event.eventId);
  return await isInserted(transaction, ItemHistory, moved[0]?.historyId ?? '');
}

function withoutErrors<Outcome extends object>(outcomes: readonly (Outcome | AppError)[]): Outcome[] {
  return outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : [outcome]));
}

/** `letterAt`: by the letter's test clock, else the time of the write. */
type Planned = {
  letterAt: Date;
  move: ItemMove;
  before: MailJobRecord;
  job: MailJobRecord;
  moving: readonly MailItem[];
};

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

/** Reads the jobs and plans their moves, or says why one cannot move. Moves of the same job follow each other. */
async function planMoves(
  transaction: Transaction,
  moves: readonly ItemMove[],
  at: Date,
): Promise<(Planned | AppError)[]> {
  const ids = [...new Set(moves.map(({ mailJobId }) => mailJobId))];
  const isAmong = { _id: { $in: ids } };
  const rows = await findRows<MailJobRecord>(MailJob, isAmong, { limit: ids.length, session: transaction });
  const letterTime = await readLetterTimes(rows, at, transaction);
  const current = new Map(rows.map((row) => [row._id, row]));
  return moves.map((move) => {
    try {
      const plan = planMove(current.get(move.mailJobId), move, { at, letterTime });
      current.set(plan.job._id, plan.job);
      return plan;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
}

function planMove(
  before: MailJobRecord | undefined,
  move: ItemMove,
  { at, letterTime }: { at: Date; letterTime: (job: MailJobRecord) => Date },
): Planned {
  const { owner, from, target } = move;
  const isOthers = owner && (before?.organizationId !== owner.organizationId || before.mode !== owner.mode);
  if (!before || isOthers) throw notFound();
  if (from && before.status !== from) {
    throw new AppError('CONFLICT', { message: `The mail job is ${before.status}, no longer ${from}.` });
  }
  move.require?.(before);
  const selected = selectItems(before, move);
  const moving = selected.filter(({ status }) => findTransition(status, target));
  if (moving.length === 0) nextStatus(selected[0]?.status ?? before.status, target);
  const letterAt = letterTime(before);
  return { letterAt, move, before, job: movedJob(before, { moving, move, at, letterAt }), moving };
}

function selectItems({ items, status }: MailJobRecord, { itemIds, target }: ItemMove): MailItem[] {
  if (!itemIds) return items.filter((item) => (target ? item.status !== 'failed' : item.status === status));
  const named = items.filter(({ itemId }) => itemIds.includes(itemId));
  if (named.length !== new Set(itemIds).size) throw notFound();
  return named;
}

function movedJob(
  before: MailJobRecord,
  { moving, move, at, letterAt }: Pick<Planned, 'moving' | 'move' | 'letterAt'> & { at: Date },
): MailJobRecord {
  const { target, failure, nextStepDelayS } = move;
  const items = before.items.map((item) => (moving.includes(item) ? movedItem(item, target, failure) : item));
  const status = statusOfItems(items);
  const refunded = items.filter((item, index) => item.status === 'failed' && before.items[index]?.status !== 'failed');
  const moved: MailJobRecord = {
    ...before,
    items,
    status,
    failure: status === 'failed' ? (failure ?? before.failure) : before.failure,
    refundedCents: before.refundedCents + refunded.reduce((total, { shareCents }) => total + shareCents, 0),
    updatedAt: at,
  };
  // Copies of a sandbox job can move alone, which plans the next step of the others.
  const due = dueAfter(moved, { at, nextStepDelayS });
  const clock = moved.clock && { clock: clockOf(moved) };
  const planned = status === before.status && before.mode === 'live' ? moved : { ...moved, due, ...clock };
  const reached = status === before.status ? {} : { [`${status}At`]: letterAt };
  return { ...planned, ...retentionAfter(before, planned, letterAt), ...reached };
}

function movedItem(item: MailItem, target: MailStatus | undefined, failure: Failure | undefined): MailItem {
  const status = nextStatus(item.status, target);
  if (status !== 'failed') return { ...item, status };
  if (!failure) throw new Error('An item that fails needs a reason');
  return { ...item, status, failure };
}

/** Returns what remains due after a move. A failed job is no longer rendered, a printed one not batched. */
function dueAfter(
  moved: MailJobRecord,
  { at, nextStepDelayS }: { at: Date; nextStepDelayS: number },
): MailJobRecord['due'] {
  const { render, slowRender } = moved.due;
  const rendering = { ...(render && { render }), ...(slowRender && { slowRender }) };
  const step = nextSandboxStep(moved, at, nextStepDelayS);
  return { ...(moved.status !== 'failed' && rendering), ...(step && { step }) };
}

function toChange({ before, job }: Planned) {
  const { _id, status, items, failure, refundedCents, due, retention, clock, updatedAt } = job;
  const reached = status === before.status ? {} : { [`${status}At`]: job[`${status}At`] };
  const settled = retention === undefined ? {} : { retention };
  const changed = {
    status,
    items,
    failure,
    refundedCents,
    due,
    updatedAt,
    ...settled,
    ...reached,
    ...(clock && { clock }),
  };
  return { filter: { _id, status: before.status }, change: { $set: changed } };
}

function toHistory(
  { job, moving, move, letterAt: at }: Planned,
  refunds: ReadonlyMap<string, ItemRefund>,
): HistoryStep[] {
  const { _id: mailJobId, organizationId, mode } = job;
  const statuses = new Map(job.items.map(({ itemId, status }) => [itemId, status]));
  return moving.flatMap(({ itemId }): HistoryStep[] => {
    const about = { mailJobId, organizationId, mode, itemId, at, by: move.by };
    const kind = statuses.get(itemId);
    if (kind === undefined || kind === 'queued') return [];
    const refund = refunds.get(itemId);
    const reached: HistoryStep = {
      ...about,
      kind,
      detail: kind === 'failed' ? { ...move.failure } : { ...move.detail },
    };
    if (!refund) return [reached];
    const { transactionId, amountCents } = refund;
    return [reached, { ...about, kind: 'refunded', detail: { transactionId, amountCents } }];
  });
}
