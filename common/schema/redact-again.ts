import { MailJob, type MailJobRecord } from '../mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '../platform/mongo/mongo.ts';
import { personalData } from '../production/retention/personal-data.ts';

/** Erases what versions before this one left of redacted letters: sender, metadata, file names and the plain hash. */
export async function redactAgain(): Promise<void> {
  const { $set, $unset } = personalData.erased.mail_jobs;
  const erased = { $set: { ...$set, requestHash: '' }, $unset };
  await rowsOf<MailJobRecord>(MailJob).updateMany({ redactedAt: { $exists: true } }, erased as object);
}
