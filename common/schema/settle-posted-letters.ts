import { retentionAfter } from '../mail-jobs/items/retention-after.ts';
import { MailJob, type MailJobRecord, mailListIndexes } from '../mail-jobs/model/mail-job.model.ts';
import { modes } from '../modes.ts';
import { Organization } from '../organizations/organization.model.ts';
import { rowsOf } from '../platform/mongo/mongo.ts';
import { zones } from '../pricing/tariff.schema.ts';

/** Letters per read and write. */
const settledAtOnce = 100;

/**
 * Writes from when on the retention of posted registered letters counts. Versions before this one wrote it only when they
 * were delivered or had failed. Goes by the index of lists: reads no other letters.
 */
export async function settlePostedLetters(): Promise<void> {
  const organizations = Organization.find({}, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: string }>().cursor();
  for await (const { _id: organizationId } of organizations) {
    for (const mode of modes) await settleLettersOf({ organizationId, mode });
  }
}

async function settleLettersOf(owner: Pick<MailJobRecord, 'organizationId' | 'mode'>): Promise<void> {
  const mailJobs = rowsOf<MailJobRecord>(MailJob);
  const isAbsent = { $exists: false };
  const isOpen = { retention: isAbsent, 'clock.settledAt': isAbsent, redactedAt: isAbsent };
  const posted = { ...owner, status: 'posted', zone: { $in: [...zones] }, serviceType: 'registered' };
  for (let last = ''; ; ) {
    const filter = { ...posted, _id: { $gt: last }, ...isOpen } as object;
    const jobs = await mailJobs.find(filter).sort({ _id: 1 }).limit(settledAtOnce).hint(mailListIndexes.kind).toArray();
    const changes = jobs.flatMap((job) => {
      const settled = retentionOfPosted(job);
      return settled
        ? [{ updateOne: { filter: { _id: job._id, ...isOpen } as object, update: { $set: settled } } }]
        : [];
    });
    if (changes.length > 0) await mailJobs.bulkWrite(changes as never, { ordered: false });
    last = jobs.at(-1)?._id ?? '';
    if (jobs.length < settledAtOnce) return;
  }
}

/** The last write of a posted letter was its last report. The times of one on a test clock are in its returns. */
function retentionOfPosted(job: MailJobRecord) {
  const returns = job.items.flatMap(({ returned }) => (returned ? [returned.at.getTime()] : []));
  const at = job.clock ? new Date(Math.max(0, ...returns)) : job.updatedAt;
  const { retention, clock } = retentionAfter({ ...job, status: 'printed' }, job, at);
  if (clock) return { 'clock.settledAt': clock.settledAt };
  return retention ? { retention } : null;
}
