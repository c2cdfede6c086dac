import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { AppError, conflict, invalid } from '#common/errors.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import type { Failure } from '#common/mail-jobs/model/failure.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import { findRow } from '#common/platform/mongo/mongo.ts';
import { moveBatchOn } from '../submission/move-batch-on.ts';
import type { OperatorDeps } from './operator-deps.ts';

type LetterStatusChange = {
  mailJobId: string;
  target: MailStatus;
  /** Why it failed, shown to the customer. Only with `failed`. */
  reason?: string | undefined;
  /** The operator, for the audit log. */
  by?: AuditActor;
};

type LetterStatusChanged = { mailJobId: string; previousStatus: MailStatus; status: MailStatus };

/**
 * Sets the status of a live mail job on behalf of the operator, and moves its batch on when none of its items is left
 * behind. A job only moves forward; `failed` refunds it. Throws NOT_FOUND, CONFLICT for a sandbox job or a status that is
 * not ahead, VALIDATION_ERROR for a reason without `failed`.
 */
export async function setLetterStatus(
  { mailJobId, target, reason, by }: LetterStatusChange,
  { hints, at }: OperatorDeps & { at: Date },
): Promise<LetterStatusChanged> {
  if (reason !== undefined && target !== 'failed') throw invalid(['reason'], 'A reason goes with the status failed.');
  const projection = { organizationId: 1, mode: 1, status: 1, batchId: 1 } as const;
  const job = await findRow(MailJob, { _id: mailJobId }, { projection });
  if (!job) throw new AppError('NOT_FOUND', { message: `There is no mail job ${mailJobId}.` });
  const { organizationId, mode, status: from } = job;
  if (mode !== 'live') {
    throw conflict('This is a sandbox job: it advances by itself, or by POST /v1/mails/{id}/simulate.');
  }
  const detail = { from, to: target };
  const entry = { action: 'letter.status-set', subjectId: mailJobId, organizationId, mode, detail } as const;
  let { batchId } = job;
  try {
    const moved = await advanceItems(
      {
        mailJobId,
        owner: { organizationId, mode },
        from,
        target,
        ...(target === 'failed' && { failure: liveFailure(from, reason) }),
        by: 'operator',
        nextStepDelayS: 0,
        alongside: (transaction) => recordAudit(entry, by, at, transaction),
      },
      at,
    );
    ({ batchId } = moved.job);
    if (moved.eventId !== null) hints.notify('fan-out', [moved.eventId]);
    return { mailJobId, previousStatus: moved.previousStatus, status: moved.job.status };
  } finally {
    // After a refusal too: the process that recorded the status may have died before it moved the batch on.
    if (batchId !== undefined) await moveBatchOn(batchId, { at });
  }
}

/** What is not printed yet failed in printing. All else failed at the post office or on the way there. */
export function liveFailure(from: MailStatus, reason: string | undefined): Failure {
  return from === 'queued'
    ? { code: 'PRINT_FAILED', message: reason ?? 'The letter could not be printed.' }
    : { code: 'DEPOSIT_FAILED', message: reason ?? 'The letter could not be handed in at the post office.' };
}
