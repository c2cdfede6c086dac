import { plusMs } from '#common/clock.ts';
import { endExtension, extendUploads } from '#common/uploads/extend-uploads.ts';
import { removePreviews } from '../preview/remove-previews.ts';
import { Bulk, type BulkRecord, type BulkState, bulkLifeMs } from './bulk.model.ts';

/** The states in which a bulk may still need its files. */
export const unfinishedStates = [
  'validating',
  'needs_mapping',
  'needs_attention',
  'ready',
  'sending',
  'paused',
] as const satisfies readonly BulkState[];

type Files = Pick<BulkRecord, '_id' | 'organizationId' | 'mode' | 'file' | 'files' | 'documents'>;

const keysOf = ({ file, files, documents = [] }: Files) => [
  file.s3Key,
  ...files.map(({ s3Key }) => s3Key),
  ...documents.flatMap(({ s3Key }) => s3Key || []),
];

/** Keeps the files of a bulk as long as it can be confirmed or resumed. */
export async function keepBulkUploads(bulk: Files, at: Date): Promise<void> {
  await extendUploads(keysOf(bulk), plusMs(at, bulkLifeMs.ended + bulkLifeMs.unconfirmed));
}

/**
 * Lets the files of an ended bulk expire, except those that another bulk of its owner needs, and removes its previews. Its
 * list stays until `until`, if its rows do.
 */
export async function releaseBulkUploads(bulk: Files, at: Date, until?: Date): Promise<void> {
  await removePreviews(bulk, at);
  const { _id, organizationId, mode, file } = bulk;
  const others = await Bulk.find({
    ...{ organizationId, mode, _id: { $ne: _id } },
    $or: [{ state: { $in: [...unfinishedStates] } }, { 'file.s3Key': file.s3Key, removeAt: { $exists: true } }],
  })
    .select({ file: 1, files: 1, documents: 1, state: 1 })
    .lean<(Files & Pick<BulkRecord, 'state'>)[]>();
  const isUnfinished = (state: BulkState) => unfinishedStates.some((each) => each === state);
  const needed = new Set(others.flatMap((other) => (isUnfinished(other.state) ? keysOf(other) : [other.file.s3Key])));
  if (until) await extendUploads([file.s3Key], until);
  await endExtension(keysOf(bulk).filter((key) => !needed.has(key) && !(until && key === file.s3Key)));
}
