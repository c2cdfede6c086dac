import { keysWithin } from '#common/ids.ts';
import { Preflight } from '#common/mail-jobs/preflight/preflight.model.ts';
import { expireTemporaryObjects } from '#common/platform/s3/temporary-objects.ts';
import { TypesetJob, type TypesetJobRecord } from '#common/templates/typeset-job.model.ts';
import { releaseUploads } from '#common/uploads/keep-uploads.ts';
import type { BulkRecord } from '../model/bulk.model.ts';

/**
 * Removes what the previews of a bulk's rows were made of, and makes their files due for removal. What a worker stores
 * after this is removed when its own time is over.
 */
export async function removePreviews(
  { _id, organizationId, mode }: Pick<BulkRecord, '_id' | 'organizationId' | 'mode'>,
  at: Date,
): Promise<void> {
  const owner = { organizationId, mode };
  const made = { key: keysWithin(_id), ...owner };
  await expireTemporaryObjects(owner, _id, at);
  const letters = await TypesetJob.find(made, { result: 1 }).lean<Pick<TypesetJobRecord, 'result'>[]>();
  const keys = letters.flatMap(({ result }) => result?.s3Key ?? []);
  await releaseUploads(owner, keys, at);
  await TypesetJob.deleteMany(made);
  await Preflight.deleteMany(made);
}
