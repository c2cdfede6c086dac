import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { MailJob, type MailJobRecord, renderWork, slowRenderWork } from '../model/mail-job.model.ts';

/** Most waiting jobs that are read. More wait only while rendering is far behind; then all files are kept. */
const maxJobs = 10_000;

/**
 * Returns which of these files a job that waits for rendering still needs. Returns all of them when more than 10,000
 * jobs wait.
 */
export async function findFilesToRender(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = new Set(keys);
  const waiting = (await Promise.all([renderWork, slowRenderWork].map(findWaiting))).flat();
  if (waiting.length > maxJobs) return asked;
  return asked.intersection(new Set(waiting.flatMap(({ files }) => files.map(({ s3Key }) => s3Key))));
}

const findWaiting = ({ path }: DueSlot) =>
  rowsOf<MailJobRecord>(MailJob)
    .find({ [`${path}.at`]: { $gt: new Date(0) } })
    .project<Pick<MailJobRecord, 'files'>>({ _id: 0, 'files.s3Key': 1 })
    .limit(maxJobs + 1)
    .toArray();
