import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { AppError, invalid } from '#common/errors.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { advanceItems } from '../items/advance-items.ts';
import type { Failure } from '../model/failure.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { MailStatus } from '../model/mail-status.ts';

export type LiveStatusChange = {
  mailJobId: string;
  target: MailStatus;
  /** Why it failed, shown to the customer. Only with `failed`. */
  reason?: string | undefined;
  /** The operator, for the audit log. */
  by?: AuditActor;
};

export type LiveStatusChanged = { mailJobId: string; previousStatus: MailStatus; status: MailStatus };

/**
 * Sets the status of a live mail job on behalf of the operator. A job only moves forward; `failed` refunds it. Throws
 * NOT_FOUND, CONFLICT for a sandbox job or a status that is not ahead, VALIDATION_ERROR for a reason without `failed`.
 */
export async function setLiveStatus(change: LiveStatusChange, hints: Hints, at: Date): Promise<LiveStatusChanged> {
  const { mailJobId, target, reason, by } = change;
  if (reason !== undefined && target !== 'failed') throw invalid(['reason'], 'A reason goes with the status failed.');
  const job = await MailJob.findById(mailJobId, { organizationId: 1, mode: 1, status: 1 }).lean<
    Pick<MailJobRecord, 'organizationId' | 'mode' | 'status'>
  >();
  if (!job) throw new AppError('NOT_FOUND', { message: `There is no mail job ${mailJobId}.` });
  const { organizationId, mode, status: from } = job;
  if (mode !== 'live') {
    const message = 'This is a sandbox job: it advances by itself, or by POST /v1/mails/{id}/simulate.';
    throw new AppError('CONFLICT', { message });
  }
  const failure = target === 'failed' ? { failure: liveFailure(from, reason) } : {};
  const entry = {
    action: 'letter.status-set',
    subjectId: mailJobId,
    organizationId,
    mode,
    detail: { from, to: target },
  } as const;
  const alongside = (transaction: Transaction) => recordAudit(entry, by, at, transaction);
  const move = {
    alongside,
    mailJobId,
    owner: { organizationId, mode },
    from,
    target,
    ...failure,
    by: 'operator',
    nextStepDelayS: 0,
  } as const;
  const moved = await advanceItems(move, at);
  if (moved.eventId !== null) hints.notify('fan-out', [moved.eventId]);

  return { mailJobId, previousStatus: moved.previousStatus, status: moved.job.status };
}

/** A job that is not printed yet failed in printing. Any other failed at the post office or on the way there. */
function liveFailure(from: MailStatus, reason: string | undefined): Failure {
  return from === 'queued'
    ? { code: 'PRINT_FAILED', message: reason ?? 'The letter could not be printed.' }
    : { code: 'DEPOSIT_FAILED', message: reason ?? 'The letter could not be handed in at the post office.' };
}
