import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { inTransaction, type Transaction } from '../platform/transaction.ts';
import { moveMoney } from '../wallet/move-money.ts';
import { betweenCommits } from './commit-mail-jobs.ts';
import type { Failure } from './failure.ts';
import { type MailStatus, nextStatus } from './lifecycle.ts';
import { appendMailEvents } from './mail-event.ts';
import { MailJob, type MailJobRecord } from './mail-job.model.ts';
import { nextSandboxStep } from './sandbox-steps.ts';
import { vatOfRefund } from './vat-shares.ts';

export type Advance = {
  mailJobId: string;
  /** Only a job of this owner; absent for the service's own workers and commands. */
  owner?: Owner;
  /** Only a job that still has this status: something else may have moved it since the caller looked. */
  from?: MailStatus;
  /** Where to; absent for one step. */
  target?: MailStatus | undefined;
  /** Must be there when the target is `failed`. */
  failure?: Failure;
  /** Only while this lease of the rendering holds: a worker that lost it must not fail what another one rendered. */
  renderToken?: string;
  /** What is written in the same transaction. */
  alongside?: (transaction: Transaction) => Promise<void>;
  /** Seconds until the next automatic step of a sandbox job. */
  nextStepDelayS: number;
};

export type Advanced = { job: MailJobRecord; previousStatus: MailStatus; eventId: string };

/**
 * Moves a job to its next status: status, moments, items, refund, event and next step in one transaction. Of many that
 * race, each wins at most one step. Throws NOT_FOUND, or CONFLICT when the table has no such move.
 */
export async function advanceMailJob(advance: Advance, at: Date): Promise<Advanced> {
  if (advance.target !== 'failed') return await inTransaction((transaction) => move(transaction, advance, at));
  // A failure gives money back, so it takes its turn among the sends, which may take money from the same wallet.
  return await betweenCommits(() => inTransaction((transaction) => move(transaction, advance, at)));
}

async function move(transaction: Transaction, advance: Advance, at: Date): Promise<Advanced> {
  const before = await readMailJob(transaction, advance);
  const status = nextStatus(before.status, advance.target);
  const job = moved(before, status, advance, at);
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
  const job = await MailJob.findOne({ _id: mailJobId, ...scope })
    .session(transaction)
    .lean<MailJobRecord>();
  if (!job) throw new AppError('NOT_FOUND');
  if (from && job.status !== from) {
    throw new AppError('CONFLICT', { message: `The mail job is ${job.status}, no longer ${from}.` });
  }
  if (renderToken && job.due.render?.leaseToken !== renderToken) {
    throw new AppError('CONFLICT', { message: 'The lease of the rendering was lost.' });
  }
  return job;
}

function moved(before: MailJobRecord, status: MailStatus, advance: Advance, at: Date): MailJobRecord {
  const hasFailed = status === 'failed';
  if (hasFailed && !advance.failure) throw new Error('A job that fails needs a reason');
  const step = nextSandboxStep(before, status, at, advance.nextStepDelayS);
  const { render } = before.due;

  return {
    ...before,
    status,
    items: before.items.map((item) => (item.status === 'failed' ? item : { ...item, status })),
    failure: hasFailed ? (advance.failure ?? null) : before.failure,
    refundedCents: hasFailed ? before.amounts.totalCents : before.refundedCents,
    // What failed is not rendered any more; what was moved by hand still is.
    due: { ...(render && !hasFailed && { render }), ...(step && { step }) },
    updatedAt: at,
    [`${status}At`]: at,
  };
}

/** Gives back the share of each item that fails now, once: its key is in the ledger only once. */
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
