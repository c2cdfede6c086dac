import type { Credential } from '#common/access/credential.ts';
import { requireReadable } from '#common/access/require-scope.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { hasCode } from '#common/errors.ts';
import { findRow } from '#common/platform/mongo/mongo.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { MailCommitter } from '../create/mail-committer.ts';
import { advanceItems } from '../items/advance-items.ts';
import { type HistoryRecord, ItemHistory } from '../items/item-history.model.ts';
import type { ItemRefund } from '../items/refund-items.ts';
import { cancelledMessage } from '../model/failure.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import { requireChangeable } from '../rules/actions.ts';

type CancelDeps = { hints: Hints; mailCommitter: Pick<MailCommitter, 'runExclusive'> };

type Cancelled = { job: MailJobRecord; refunds: ItemRefund[] };

/**
 * Cancels a job for its sender: it fails with CANCELLED and is refunded in the same transaction. A second call returns
 * the same. Throws NOT_FOUND, NOT_CANCELLABLE once its batch is closed or a copy is printed, and FORBIDDEN for a
 * credential that may not read the job that the answer shows.
 */
export async function cancelMailJob(
  credential: Pick<Credential, 'organizationId' | 'mode' | 'scopes' | 'id' | 'actor'>,
  { mailJobId, reason }: { mailJobId: string; reason: string | undefined },
  { hints, mailCommitter }: CancelDeps,
  at: Date,
): Promise<Cancelled> {
  const { organizationId, mode, actor } = credential;
  const failure = { code: 'CANCELLED', message: reason ?? cancelledMessage } as const;
  const owner = { organizationId, mode };
  function require(job: MailJobRecord): void {
    requireReadable(credential, job, 'the letter');
    requireChangeable(job, at);
  }
  const entry = { action: 'letter.cancelled', subjectId: mailJobId, organizationId, mode } as const;
  const alongside = (transaction: Transaction) => recordAudit(entry, actor, at, transaction);
  const failing = { mailJobId, owner, target: 'failed', failure, by: 'sender', nextStepDelayS: 0 } as const;
  const move = { ...failing, require, alongside };
  try {
    // Exclusive: a refund and a group commit that debits the same wallet would abort each other.
    const { job, eventId } = await mailCommitter.runExclusive(() => advanceItems(move, at));
    if (eventId !== null) hints.notify('fan-out', [eventId]);
    return { job, refunds: await readRefunds(job) };
  } catch (error) {
    if (!hasCode(error, 'NOT_CANCELLABLE')) throw error;
    const job = await findRow<MailJobRecord>(MailJob, { _id: mailJobId, ...owner }, { hint: { _id: 1 } });
    if (job?.failure?.code !== 'CANCELLED') throw error;
    return { job, refunds: await readRefunds(job) };
  }
}

/** Returns the refunds of the copies that were cancelled, in the order of the recipients. */
async function readRefunds({ _id: mailJobId, organizationId, items }: MailJobRecord): Promise<ItemRefund[]> {
  const rows = await ItemHistory.find({ organizationId, mailJobId, kind: 'refunded' }).lean<HistoryRecord[]>();
  const byItem = new Map(rows.map(({ itemId, detail }) => [itemId, detail]));
  return items.flatMap(({ itemId, failure }) => {
    const { transactionId, amountCents } = byItem.get(itemId) ?? {};
    const isRefund = typeof transactionId === 'string' && typeof amountCents === 'number';
    return failure?.code === 'CANCELLED' && isRefund ? [{ itemId, transactionId, amountCents }] : [];
  });
}
