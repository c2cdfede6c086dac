import { AppError, conflict, notFound } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { idHint, isAmong } from '#common/platform/due-work/due-work.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { readLetterTimes } from '#common/sandbox/clocks/letter-time.ts';
import { stepOnClock } from '#common/sandbox/steps/letter-moments.ts';
import { nextSandboxStep } from '#common/sandbox/steps/sandbox-steps.ts';
import { cancelledMessage, type Failure } from '../model/failure.ts';
import { type MailItem, MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { MailStatus } from '../model/mail-status.ts';
import { findTransition, nextStatus, statusOfItems } from '../rules/lifecycle.ts';
import type { HistoryActor, HistoryDetail, HistoryStep } from './item-history.model.ts';
import type { ItemRefund } from './refund-items.ts';
import { retentionAfter } from './retention-after.ts';

/** A move of items of one mail job. */
export type ItemMove = {
  mailJobId: string;
  /** The job must belong to this owner. Only tests leave it out. */
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

/** `letterAt`: by the letter's test clock, else the time of the write. */
export type PlannedMove = {
  letterAt: Date;
  move: ItemMove;
  before: MailJobRecord;
  job: MailJobRecord;
  moving: readonly MailItem[];
};

/** Reads the jobs and plans their moves, or says why one cannot move. Moves of the same job follow each other. */
export async function planMoves(
  transaction: Transaction,
  moves: readonly ItemMove[],
  at: Date,
): Promise<(PlannedMove | AppError)[]> {
  const named = moves.map(({ mailJobId, owner }) => ({ _id: mailJobId, organizationId: owner?.organizationId }));
  const options = { limit: moves.length, session: transaction, ...idHint };
  const rows = await findRows<MailJobRecord>(MailJob, isAmong(named), options);
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
): PlannedMove {
  const { owner, from, target } = move;
  const isOthers = owner && (before?.organizationId !== owner.organizationId || before.mode !== owner.mode);
  if (!before || isOthers) throw notFound();
  if (from && before.status !== from) {
    throw conflict(`The mail job is ${before.status}, no longer ${from}.`);
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
  { moving, move, at, letterAt }: Pick<PlannedMove, 'moving' | 'move' | 'letterAt'> & { at: Date },
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
  const planned = status === before.status && before.mode === 'live' ? moved : { ...moved, due, ...stepOnClock(moved) };
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

/**
 * Returns the write of a planned move. Its filter refuses a job that has changed since it was read. Of items it has only
 * what changes: the database may log a write, and items name people.
 */
export function toChange({ before, job, moving }: PlannedMove) {
  const { _id, organizationId, status, items, failure, refundedCents, due, retention, clock, updatedAt } = job;
  const moved = moving.map((item) => {
    const place = before.items.indexOf(item);
    const after = items[place] ?? item;
    return {
      [`items.${place}.status`]: after.status,
      ...(after.failure && { [`items.${place}.failure`]: after.failure }),
    };
  });
  const reached = status === before.status ? {} : { [`${status}At`]: job[`${status}At`] };
  const settled = retention === undefined ? {} : { retention };
  const changed = {
    status,
    failure,
    refundedCents,
    due,
    updatedAt,
    ...Object.assign({}, ...moved),
    ...settled,
    ...reached,
    ...(clock && { clock }),
  };
  return { filter: { _id, organizationId, status: before.status }, change: { $set: changed } };
}

/** Returns what the history keeps of a planned move, with the refunds of its items. */
export function toHistory(
  { job, moving, move, letterAt: at }: PlannedMove,
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
      detail: kind === 'failed' ? historyOf(move.failure) : { ...move.detail },
    };
    if (!refund) return [reached];
    const { transactionId, amountCents } = refund;
    return [reached, { ...about, kind: 'refunded', detail: { transactionId, amountCents } }];
  });
}

/** Returns what the history keeps of a failure: it is never changed, and so has no text of the caller. */
function historyOf(failure: Failure | undefined): HistoryDetail {
  return { ...failure, ...(failure?.code === 'CANCELLED' && { message: cancelledMessage }) };
}
