import type { Credential } from '#common/access/credential.ts';
import { requireReadable } from '#common/access/require-scope.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { conflict, notFound } from '#common/errors.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { isSettled, settlesAt } from '#common/mail-jobs/rules/lifecycle.ts';
import { findRow } from '#common/platform/mongo/mongo.ts';
import { type RetainDeps, redactPeople, removePrintFile } from './retain.ts';

/**
 * Removes the print file of a settled letter and redacts its people, at once. A second call changes nothing. The ledger
 * stays. Throws NOT_FOUND, CONFLICT for a letter that is still on its way, and
 * FORBIDDEN for a credential that may not read it.
 */
export async function redactMailJob(
  credential: Pick<Credential, 'organizationId' | 'mode' | 'scopes' | 'id' | 'actor'>,
  mailJobId: string,
  deps: RetainDeps,
  at: Date,
): Promise<MailJobRecord> {
  const { organizationId, mode, actor } = credential;
  const filter = { _id: mailJobId, organizationId, mode };
  const job = await findRow<MailJobRecord>(MailJob, filter, { hint: { _id: 1 } });
  if (!job) throw notFound();
  requireReadable(credential, job, 'the letter');
  if (job.redactedAt && (job.printFile === null || job.printFile.removedAt)) return job;
  requireSettled(job, at);
  await recordAudit({ action: 'letter.redacted', subjectId: mailJobId, organizationId, mode }, actor, at);
  await removePrintFile(job, deps, at);
  return (await redactPeople(job, at)) ?? job;
}

function requireSettled(job: MailJobRecord, at: Date): void {
  if (isSettled(job, at)) return;
  const from = settlesAt(job, at);
  const until = from ? `, or from ${from.toISOString()} on` : '';
  const message = `A mail job that is ${job.status} is still on its way: redact it when it has reached its last status${until}.`;
  throw conflict(message);
}
