import { Bulk } from '../bulk/model/bulk.model.ts';
import { MailJob } from '../mail-jobs/model/mail-job.model.ts';
import { readRanMigrations } from '../platform/mongo/migrate.ts';
import { personalData } from '../production/retention/personal-data.ts';

/** The former migration since which the hashes of requests have a key. */
const keyedHashes = 11;

/** Erases what earlier commits left of redacted letters and of removed lists. Safe to repeat. */
export async function eraseAgain(): Promise<void> {
  const { mail_jobs: letters, bulks } = personalData.erased;
  const hasKeys = (await readRanMigrations()).some(({ number }) => number === keyedHashes);
  const $set = { ...letters.$set, ...(!hasKeys && { requestHash: '' }) };
  await MailJob.collection.updateMany({ redactedAt: { $exists: true } }, { $set, $unset: letters.$unset });
  await Bulk.collection.updateMany({ 'file.filename': bulks.$set['file.filename'] }, bulks);
}
