import { AppError, notFound } from '#common/errors.ts';
import { Event } from '#common/events/event.model.ts';
import type { Owner } from '#common/modes.ts';
import { findRows, updateRows } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { moveMoney } from '#common/wallet/ledger/move-money.ts';
import { appendMailEvents } from '../events/mail-event.ts';
import type { Failure } from '../model/failure.ts';
import { type MailStatus, nextStatus } from '../model/lifecycle.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import { vatOfRefund } from '../model/vat-shares.ts';
import { nextSandboxStep } from './sandbox-steps.ts';

export type Advance = {
  mailJobId: string;
  /** The job must belong to this owner. Absent for workers and admin commands. */
  owner?: Owner;
  /** The job must still have this status: it may have changed since the caller read it. */
  from?: MailStatus;
  /** The new status; absent for one step. */
  target?: MailStatus | undefined;
  /** Required when the target is `failed`. */
  failure?: Failure;
  /** The rendering must still hold this lease: a worker that lost it must not fail a job that another one rendered. */
  renderToken?: string;
  /** Further writes in the same transaction. */
  alongside?: (transaction: Transaction) => Promise<void>;
  /** Seconds until the next automatic step of a sandbox job. */
  nextStepDelayS: number;
};

export type Advanced = { job: MailJobRecord; previousStatus: MailStatus; eventId: string };

/**
 * Moves a job to its next status: status, times, items, refund, event and next step in one transaction. Of concurrent
 * calls, each advances at most one step. Throws NOT_FOUND, or CONFLICT when there is no such transition.
 */
export async function advanceMailJob(advance: Advance, at: Date): Promise<Advanced> {
  const [outcome] = await advanceMailJobs([advance], at);
  if (!outcome || outcome instanceof Error) throw outcome;
  return outcome;
}

/**
 * Moves jobs as `advanceMailJob` does, all in one transaction until `endsAt` (`performance.now()`). Returns the outcomes
 * in the same order. An error as outcome refuses that one job, and the others move. Throws the first error when no job
 * can move.
 */
export async function advanceMailJobs(
  advances: readonly Advance[],
  at: Date,
  endsAt?: number,
): Promise<(Advanced | AppError)[]> {
  // An event proves a commit whose result is unknown. A blind retry would take a second step.
  const isStored = async (transaction: Transaction, outcomes: (Advanced | AppError)[]) => {
    const [eventId = ''] = outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : [outcome.eventId]));
    return await isInserted(transaction, Event, eventId);
  };
  const work = (transaction: Transaction) => applyAdvances(transaction, advances, at);
  return await inTransaction(work, { isStored, ...(endsAt !== undefined && { endsAt }) });
}

type Move = { advance: Advance; before: MailJobRecord; job: MailJobRecord };

async function applyAdvances(
  transaction: Transaction,
  advances: readonly Advance[],
  at: Date,
): Promise<(Advanced | AppError)[]> {
  const planned = await planMoves(transaction, advances, at);
  const moves = planned.flatMap((plan) => (plan instanceof AppError ? [] : [plan]));
  if (moves.length === 0) throw planned[0];
  const jobs = moves.map(({ job }) => job);
  if ((await updateRows(MailJob, moves.map(toChange), transaction)) !== moves.length) {
    throw new Error('A mail job changed since its transaction read it');
  }
  const eventIds = await appendMailEvents(transaction, jobs, at);
  const failing = moves.filter(({ job }) => job.status === 'failed').map(({ before }) => before);
  if (failing.length > 0) await refundItems(transaction, failing, at);
  for (const { advance } of moves) await advance.alongside?.(transaction);

  return planned.map((plan) => {
    if (plan instanceof AppError) return plan;
    return { job: plan.job, previousStatus: plan.before.status, eventId: eventIds[moves.indexOf(plan)] ?? '' };
  });
}

/** Reads the jobs and returns their moves, or why one cannot move. Advances of the same job follow each other. */
async function planMoves(
  transaction: Transaction,
  advances: readonly Advance[],
  at: Date,
): Promise<(Move | AppError)[]> {
  const ids = [...new Set(advances.map(({ mailJobId }) => mailJobId))];
  const isAmong = { _id: { $in: ids } };
  const rows = await findRows<MailJobRecord>(MailJob, isAmong, { limit: ids.length, session: transaction });
  const current = new Map(rows.map((row) => [row._id, row]));
  return advances.map((advance) => {
    try {
      const before = requireMovable(current.get(advance.mailJobId), advance);
      const job = advancedJob(before, nextStatus(before.status, advance.target), advance, at);
      current.set(job._id, job);
      return { advance, before, job };
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
}

function toChange({ before, job }: Move) {
  const { _id, status, items, failure, refundedCents, due, updatedAt } = job;
  const changed = { status, items, failure, refundedCents, due, updatedAt, [`${status}At`]: updatedAt };
  return { filter: { _id, status: before.status }, change: { $set: changed } };
}

function requireMovable(job: MailJobRecord | undefined, { owner, from, renderToken }: Advance): MailJobRecord {
  const isOthers = owner && (job?.organizationId !== owner.organizationId || job.mode !== owner.mode);
  if (!job || isOthers) throw notFound();
  if (from && job.status !== from) {
    throw new AppError('CONFLICT', { message: `The mail job is ${job.status}, no longer ${from}.` });
  }
  const { render, slowRender } = job.due;
  if (renderToken && ![render?.leaseToken, slowRender?.leaseToken].includes(renderToken)) {
    throw new AppError('CONFLICT', { message: 'The lease of the rendering was lost.' });
  }
  return job;
}

function advancedJob(before: MailJobRecord, status: MailStatus, advance: Advance, at: Date): MailJobRecord {
  const hasFailed = status === 'failed';
  if (hasFailed && !advance.failure) throw new Error('A job that fails needs a reason');
  const step = nextSandboxStep(before, status, at, advance.nextStepDelayS);
  const { render, slowRender } = before.due;
  const rendering = { ...(render && { render }), ...(slowRender && { slowRender }) };

  return {
    ...before,
    status,
    items: before.items.map((item) => (item.status === 'failed' ? item : { ...item, status })),
    failure: hasFailed ? (advance.failure ?? null) : before.failure,
    refundedCents: hasFailed ? before.amounts.totalCents : before.refundedCents,
    // A failed job is no longer rendered. A job that was advanced manually still is.
    due: { ...(!hasFailed && rendering), ...(step && { step }) },
    updatedAt: at,
    [`${status}At`]: at,
  };
}

/** Refunds the share of each item that fails now. The unique ledger key prevents a second refund. */
async function refundItems(transaction: Transaction, jobs: readonly MailJobRecord[], at: Date): Promise<void> {
  const refunds = jobs.flatMap((before) => {
    const { organizationId, mode, _id: mailJobId } = before;
    const failing = before.items.filter(({ status }) => status !== 'failed');
    return failing.map(({ itemId, shareCents }) => ({
      owner: { organizationId, mode },
      kind: 'refund' as const,
      amountCents: shareCents,
      key: `refund:${itemId}`,
      mailJobId,
      itemId,
      vat: vatOfRefund(before, itemId),
    }));
  });
  await moveMoney(transaction, refunds, at);
}
