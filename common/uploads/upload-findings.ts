import { Upload, type UploadFault, type UploadRecord } from './upload.model.ts';

type PinnedObject = { s3Key: string; etag: string };
type OfOrganization = { organizationId: string };
const byId = { hint: { _id: 1 } } as const;

/** Records that an object cannot be printed. Does nothing if the upload has other bytes now. */
export async function recordUploadFault(
  { s3Key, etag, organizationId }: PinnedObject & OfOrganization,
  fault: UploadFault,
): Promise<void> {
  await Upload.updateOne({ _id: s3Key, organizationId, etag }, { $set: { fault } }, byId);
}

/** `first` is the fault of the first strike, `final` that of later ones. `pages` as in `UploadFault`. */
type UploadStrike = { first: string; final: string; pages: number };

/**
 * Records a fault that counts only when it repeats. One write, so concurrent strikes all count. Does nothing if another
 * fault is known or the upload has other bytes now.
 */
export async function recordUploadStrike(
  { s3Key, etag, organizationId }: PinnedObject & OfOrganization,
  { first, final, pages }: UploadStrike,
): Promise<void> {
  const name = { $cond: [{ $in: ['$fault.name', [first, final]] }, final, first] };
  // `null` matches an upload without a fault.
  const filter = { _id: s3Key, organizationId, etag, 'fault.name': { $in: [null, first, final] } };
  await Upload.updateOne(filter, [{ $set: { fault: { name, pages } } }], { updatePipeline: true, ...byId });
}

/** Returns the known faults of the given objects, by key. */
export async function findUploadFaults(
  { organizationId }: OfOrganization,
  files: readonly PinnedObject[],
): Promise<Map<string, UploadFault>> {
  const isFaulty = { _id: { $in: files.map(({ s3Key }) => s3Key) }, organizationId, fault: { $exists: true } };
  const rows = await Upload.find(isFaulty)
    .hint(byId.hint)
    .select({ etag: 1, fault: 1 })
    .lean<Pick<UploadRecord, '_id' | 'etag' | 'fault'>[]>();
  const rowOf = new Map(rows.map((row) => [row._id, row]));
  return new Map(
    files.flatMap(({ s3Key, etag }) => {
      const row = rowOf.get(s3Key);
      return row?.fault && row.etag === etag ? [[s3Key, row.fault] as const] : [];
    }),
  );
}

/**
 * Stores page counts found by rendering, so the next job with the same files gets an error for a wrong count at once.
 */
export async function recordPageCounts(
  { organizationId }: OfOrganization,
  counts: readonly { s3Key: string; pageCount: number }[],
): Promise<void> {
  await Upload.bulkWrite(
    counts.map(({ s3Key, pageCount }) => ({
      updateOne: { filter: { _id: s3Key, organizationId, pageCount: null }, update: { $set: { pageCount } }, ...byId },
    })),
  );
}
