import { AppError, invalid } from '../errors.ts';
import type { AuditActor } from '../organizations/audit.model.ts';
import { recordAudit } from '../organizations/record-audit.ts';
import type { Hints } from '../platform/queues.ts';
import type { Transaction } from '../platform/transaction.ts';
import { advanceMailJob } from './advance-mail-job.ts';
import type { Failure } from './failure.ts';
import type { MailStatus } from './lifecycle.ts';
import { MailJob, type MailJobRecord } from './mail-job.model.ts';

export type LiveStatusChange = {
  mailJobId: string;
  target: MailStatus;
  /** Why it failed, as the customer will read it; only with `failed`. */
  reason?: string | undefined;
  /** Whose word it is, for the audit log. */
  by?: AuditActor;
};

export type LiveStatusChanged = { mailJobId: string; previousStatus: MailStatus; status: MailStatus };

/**
 * Records what has happened to a live letter on its way, by the operator's word: forward only, and `failed` gives the
 * money back. Throws NOT_FOUND, CONFLICT for a sandbox job or a status that is not ahead, VALIDATION_ERROR for a
 * reason without a failure.
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
    detail: { from, to: target },
  } as const;
  const alongside = (transaction: Transaction) => recordAudit(entry, by, at, transaction);
  const advance = {
    alongside,
    mailJobId,
    owner: { organizationId, mode },
    from,
    target,
    ...failure,
    nextStepDelayS: 0,
  };
  const moved = await advanceMailJob(advance, at);
  hints.nudge('fan-out', [moved.eventId]);

  return { mailJobId, previousStatus: moved.previousStatus, status: moved.job.status };
}

/** What has not been printed failed in printing; what has, on its way to or through the post office. */
function liveFailure(from: MailStatus, reason: string | undefined): Failure {
  return from === 'queued'
    ? { code: 'PRINT_FAILED', message: reason ?? 'The letter could not be printed.' }
    : { code: 'DEPOSIT_FAILED', message: reason ?? 'The letter could not be handed in at the post office.' };
}
