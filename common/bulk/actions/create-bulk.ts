import { type Creator, creatorOf } from '#common/audit/created-by.ts';
import { plusMs } from '#common/clock.ts';
import { AppError, hasCode, invalid } from '#common/errors.ts';
import { newIdAt } from '#common/ids.ts';
import { planDrop } from '#common/mail-jobs/rules/plan-drop.ts';
import { isUploadMimeType } from '#common/mime-types.ts';
import type { Owner } from '#common/modes.ts';
import { lockOrganization } from '#common/organizations/lock-organization.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { insertRows } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { CutoffRules } from '#common/services.ts';
import { readNamedTemplate } from '#common/templates/read-templates.ts';
import { parseTemplate } from '#common/templates/text/parse-template.ts';
import { checkUploads, verifyObject } from '#common/uploads/check-uploads.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import {
  Bulk,
  type BulkRecord,
  bulkCheckWork,
  bulkLifeMs,
  bulksByOwner,
  type NamedMapping,
} from '../model/bulk.model.ts';
import { bulkFields } from '../model/bulk-fields.ts';
import { type BulkMappingInput, type BulkRequest, toReading } from '../model/bulk-request.schema.ts';
import { keepBulkUploads, releaseBulkUploads, unfinishedStates } from '../model/bulk-uploads.ts';

/** Bulks of one owner that are not ended. Each may have 100,000 rows. */
export const maxUnfinishedBulks = 20;
/** Rows of one owner that are kept, from which on no bulk is created, and their bytes. A file has at most 256 MB of rows. */
const [maxKeptRows, maxKeptBytes] = [5_000_000, 5_000_000_000];
/** Most bulks that are made of one upload. Each stores its own rows. */
const maxBulksOfUpload = 10;

export type CreateBulkDeps = { store: ObjectStore; hints: Hints; cutoffs: CutoffRules };

/**
 * Creates a bulk and has its file read in the background. Nothing is sent or debited before it is confirmed. `credentialId`
 * is that of the caller, which its mail jobs get. Throws VALIDATION_ERROR for unknown files or an unknown template, LIMIT_REACHED while 20 bulks
 * of the owner are not ended, beyond the rows that are kept, and for a file that 10 bulks were made of, and StoreUnavailableError.
 */
export async function createBulk(
  { organizationId, mode, id: credentialId, actor }: Creator & { id: string },
  request: BulkRequest,
  { store, hints, cutoffs }: CreateBulkDeps,
  at: Date,
): Promise<BulkRecord> {
  const owner = { organizationId, mode };
  // Throws for a time that no letter may have.
  planDrop(request.scheduledDropAt, { serviceType: request.serviceType, now: at }, cutoffs);
  const [file, shared] = await Promise.all([
    findTable(owner, request.file.s3Key, store, at),
    request.files ? checkUploads(owner, request.files, store, at) : { files: [] },
  ]);
  const template = request.templateId
    ? await readNamedTemplate(owner, request.templateId, request.templateVersion)
    : null;
  // Before the files of a refused one are kept. The transaction decides.
  await refuseBeyondLimit(owner);
  const bulk: BulkRecord = {
    ...{ _id: newIdAt('blk', at), ...owner, credentialId, state: 'validating', failure: null, pause: null },
    ...creatorOf(actor),
    file,
    ...(request.reading && { reading: toReading(request.reading) }),
    ...{ format: null, header: [], wantedMapping: toNamedMapping(request.mapping), mapping: null, missing: [] },
    ...(request.ignoredColumns && { ignoredColumns: request.ignoredColumns }),
    ...{ files: shared.files, pages: null },
    ...(template && {
      template: { templateId: template.templateId, version: template.version },
      templateVariables: parseTemplate(template.text).variables,
    }),
    ...{ serviceType: request.serviceType, zone: request.zone ?? null, color: request.color ?? false },
    ...(request.doubleSided === false && { doubleSided: false }),
    acknowledgmentReceipt: request.acknowledgmentReceipt ?? false,
    scheduledDropAt: request.scheduledDropAt ?? null,
    sender: request.sender ? { ...request.sender, line2: request.sender.line2 ?? null } : null,
    counts: { rows: 0, valid: 0, faulty: 0, duplicates: 0 },
    progress: { sent: 0, sentCents: 0, refused: 0, cancelled: 0, notCancelled: 0 },
    ...{ totalCents: null, prices: [], skipsFaulty: false, acceptsNewPrice: false, doneUpTo: '' },
    due: { check: newDue(at) },
    ...{ confirmedAt: null, completedAt: null, removeAt: plusMs(at, bulkLifeMs.unconfirmed) },
    ...{ createdAt: at, updatedAt: at },
  };
  // First, so no cleanup removes a file that the bulk names.
  await keepBulkUploads(bulk, at);
  await inTransaction(
    async (transaction) => {
      await lockOrganization(transaction, organizationId, 'bulksCreated');
      await refuseBeyondLimit(owner, transaction);
      await countBulkOfUpload(owner, file.s3Key, transaction);
      await insertRows(Bulk, [bulk], transaction);
    },
    { isStored: (transaction) => isInserted(transaction, Bulk, bulk._id, owner) },
  ).catch(async (error: unknown) => {
    if (hasCode(error, 'LIMIT_REACHED')) await releaseBulkUploads(bulk, at);
    throw error;
  });
  hints.notify(bulkCheckWork.queue, [bulk._id]);
  return bulk;
}

/** One message for every cause, so it does not reveal which keys exist. */
const unknownFile =
  'No bulk file of yours with this key is in the store. Upload it first, to the URL from POST /v1/bulk/uploads.';

async function findTable(owner: Owner, s3Key: string, store: ObjectStore, at: Date): Promise<BulkRecord['file']> {
  const row = await Upload.findOne({ _id: s3Key, ...owner, usableUntil: { $gt: at } }).lean<UploadRecord>();
  const seen = row && !isUploadMimeType(row.mimeType) ? await verifyObject(row, store) : null;
  if (!seen) throw invalid(['file', 's3Key'], unknownFile);
  const { filename, sizeBytes, etag } = seen;
  return { s3Key, filename, sizeBytes, etag };
}

async function refuseBeyondLimit(owner: Owner, transaction: Transaction | null = null): Promise<void> {
  const isUnfinished = { $cond: [{ $in: ['$state', [...unfinishedStates]] }, 1, 0] };
  const sums = {
    _id: null,
    rows: { $sum: '$counts.rows' },
    bytes: { $sum: '$rowBytes' },
    unfinished: { $sum: isUnfinished },
  };
  const kept = [{ $match: { ...owner, removeAt: { $exists: true } } }, { $group: sums }];
  const [{ rows, bytes, unfinished } = { rows: 0, bytes: 0, unfinished: 0 }] = await Bulk.aggregate(kept)
    .session(transaction)
    .hint(bulksByOwner);
  const refuse = (message: string) => {
    throw new AppError('LIMIT_REACHED', { message });
  };
  if (unfinished >= maxUnfinishedBulks)
    refuse(`${maxUnfinishedBulks} bulks of your organization are not ended. Confirm or cancel one first.`);
  if (rows >= maxKeptRows || bytes >= maxKeptBytes)
    refuse(
      `${rows} rows of bulks are kept for you, of ${(bytes / 1e9).toFixed(1)} GB, each until 30 days after its bulk has ended. ` +
        'Cancel bulks that you will not confirm, or try again when older rows are removed. A list without the columns ' +
        'that no letter needs takes less.',
    );
}

async function countBulkOfUpload(owner: Owner, s3Key: string, session: Transaction): Promise<void> {
  const free = { _id: s3Key, ...owner, bulkCount: { $not: { $gte: maxBulksOfUpload } } };
  if ((await Upload.updateOne(free, { $inc: { bulkCount: 1 } }, { session })).matchedCount === 1) return;
  const message = `This file has been used for ${maxBulksOfUpload} bulks. Upload it again.`;
  throw new AppError('LIMIT_REACHED', { message });
}

/** Returns the columns by name that the owner asked for; null when all are to be guessed. */
export function toNamedMapping(input: BulkMappingInput | null | undefined): NamedMapping | null {
  if (!input) return null;
  const fields: NamedMapping['fields'] = {};
  const separators: NonNullable<NamedMapping['separators']> = {};
  for (const field of bulkFields) {
    const asked = input[field];
    if (asked === undefined) continue;
    const isJoined = asked !== null && typeof asked === 'object' && 'columns' in asked;
    fields[field] = isJoined ? asked.columns : [asked ?? []].flat();
    if (isJoined) separators[field] = asked.separator;
  }
  const { variables, defaultCountry } = input;
  return { fields, ...(variables && { variables }), separators, ...(defaultCountry && { defaultCountry }) };
}
