import { Upload } from './upload.model.ts';

/** Notes what rendering has counted, so that the next job with the same files learns of a wrong number at once. */
export async function rememberPageCounts(counts: readonly { s3Key: string; pageCount: number }[]): Promise<void> {
  await Upload.bulkWrite(
    counts.map(({ s3Key, pageCount }) => ({
      updateOne: { filter: { _id: s3Key, pageCount: null }, update: { $set: { pageCount } } },
    })),
  );
}
