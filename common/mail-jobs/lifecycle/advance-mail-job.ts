import { AppError, notFound } from '#common/errors.ts';
import { Event } from '#common/events/event.model.ts';
import type { Owner } from '#common/modes.ts';
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
  // The event of the transition proves a commit whose result is unknown. A blind retry would take a second step.
  const isStored = (transaction: Transaction, { eventId }: Advanced) => isInserted(transaction, Event, eventId);
  return await inTransaction((transaction) => applyAdvance(transaction, advance, at), { isStored });
}

async function applyAdvance(transaction: Transaction, advance: Advance, at: Date): Promise<Advanced> {
  const before = await readMailJob(transaction, advance);
  const status = nextStatus(before.status, advance.target);
  const job = advancedJob(before, status, advance, at);
  const { items, failure, refundedCents, due, updatedAt } = job;
  await MailJob.updateOne(
    { _id: job._id, status: before.status },
    { $set: { status, items, failure, refundedCents, due, updatedAt, [`${status}At`]: at } },
    { session: transaction },
  );
  const [eventId = ''] = await appendMailEvents(transaction, [job], at);
  if (status === 'failed') await refundItems(transaction, before, at);
  await advance.alongside?.(transaction);

  return { job, previousStatus: before.status, eventId };
}

async function readMailJob(
  transaction: Transaction,
  { mailJobId, owner, from, renderToken }: Advance,
): Promise<MailJobRecord> {
  const scope = owner ? { organizationId: owner.organizationId, mode: owner.mode } : {};
  const filter = { _id: mailJobId, ...scope };
  const job = await MailJob.findOne(filter).session(transaction).orFail(notFound).lean<MailJobRecord>();
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
async function refundItems(transaction: Transaction, before: MailJobRecord, at: Date): Promise<void> {
  const { organizationId, mode, _id: mailJobId } = before;
  const failing = before.items.filter(({ status }) => status !== 'failed');
  const refunds = failing.map(({ itemId, shareCents }) => ({
    owner: { organizationId, mode },
    kind: 'refund' as const,
    amountCents: shareCents,
    key: `refund:${itemId}`,
    mailJobId,
    itemId,
    vat: vatOfRefund(before, itemId),
  }));
  await moveMoney(transaction, refunds, at);
}
