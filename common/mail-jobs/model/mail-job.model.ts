import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '#common/modes.ts';
import { type PostalAddress, postalAddressFields } from '#common/organizations/organization.model.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { Due, DueSlot } from '#common/platform/due-work/due-work.ts';
import { modelOptions } from '#common/platform/mongo/model-options.ts';
import type { Amounts } from '#common/pricing/price-letter.ts';
import type { ServiceType, Zone } from '#common/pricing/tariff.schema.ts';
import type { PinnedFile } from '#common/uploads/check-uploads.ts';
import { type Failure, failureCodes } from './failure.ts';
import { type MailStatus, mailStatuses } from './lifecycle.ts';
import type { MetadataEntry } from './metadata.schema.ts';

/** The printed copy for one recipient. Each item is refunded separately, by its share. */
export type MailItem = PostalAddress & { itemId: string; status: MailStatus; shareCents: number };

export type MailWarning = { code: string; path: (string | number)[]; message: string };

/** When each status was reached; null when it was not reached or was skipped. */
export type Moments = Record<`${MailStatus}At`, Date | null>;

export type PrintFileRecord = {
  s3Key: string;
  sha256: string;
  sizeBytes: number;
  pageCount: number;
  renderedAt: Date;
  /** When the file is due to be removed from the store. Set only for test jobs, until the file is removed. */
  removeAt?: Date;
  /** When the file was removed from the store. */
  removedAt?: Date;
};

export type MailJobRecord = Moments & {
  /** Contains `createdAt`, so a range of times is a range of ids. */
  _id: string;
  organizationId: string;
  mode: Mode;
  /** Absent, not null, when the caller gave none: the unique index covers only jobs that have the field. */
  externalId?: string;
  idempotencyKey?: string;
  /** Hash of the request body. Distinguishes a repeat from a different request with the same id. */
  requestHash: string;
  /** Id of the API key or OAuth grant that created the job. */
  credentialId: string;
  /** X-Request-Id of the request that created the job, for logs. Absent when there was none. */
  requestId?: string;
  status: MailStatus;
  zone: Zone;
  serviceType: ServiceType;
  pages: number;
  color: boolean;
  acknowledgmentReceipt: boolean;
  scheduledDropAt: Date | null;
  dropAt: Date;
  sender: PostalAddress;
  items: MailItem[];
  files: PinnedFile[];
  webhookUrl: string | null;
  /** Both are absent when the caller gave none. Filters search the tags, see `tagOf`. */
  metadata?: MetadataEntry[];
  metadataTags?: string[];
  amounts: Amounts;
  refundedCents: number;
  warnings: MailWarning[];
  failure: Failure | null;
  printFile: PrintFileRecord | null;
  /** Failure of a rendering that ended when the job was already final. Recorded only, without effect. */
  renderFailure: Failure | null;
  /** `slowRender`: the rendering exceeded the budget of a fast slot and waits for the slow slot. */
  due: { render?: Due; slowRender?: Due; step?: Due };
  createdAt: Date;
  updatedAt: Date;
};

const text = { type: String, required: true };
const whole = { type: Number, required: true };
const flag = { type: Boolean, required: true };
const moment = { type: Date, default: null };
const bare = { _id: false } as const;
const failureField = {
  type: new Schema<Failure>({ code: { type: String, enum: failureCodes }, message: text }, bare),
  default: null,
};
const itemFields = {
  itemId: text,
  ...postalAddressFields,
  status: { type: String, enum: mailStatuses },
  shareCents: whole,
};
const printFileFields = {
  s3Key: text,
  sha256: text,
  sizeBytes: whole,
  pageCount: whole,
  renderedAt: moment,
  removeAt: Date,
  removedAt: Date,
};

const schema = new Schema<MailJobRecord>(
  {
    _id: text,
    organizationId: text,
    mode: { type: String, enum: modes, required: true },
    externalId: String,
    idempotencyKey: String,
    requestHash: text,
    credentialId: { type: String, required: true },
    requestId: String,
    status: { type: String, enum: mailStatuses, required: true },
    zone: text,
    serviceType: text,
    pages: whole,
    color: flag,
    acknowledgmentReceipt: flag,
    scheduledDropAt: moment,
    dropAt: { type: Date, required: true },
    sender: { type: new Schema(postalAddressFields, bare), required: true },
    items: { type: [new Schema(itemFields, bare)], required: true },
    files: {
      type: [new Schema({ s3Key: text, filename: text, mimeType: text, sizeBytes: whole, etag: text }, bare)],
      required: true,
    },
    webhookUrl: { type: String, default: null },
    metadata: { type: [new Schema({ key: text, value: text }, bare)], default: undefined },
    metadataTags: { type: [String], default: undefined },
    amounts: { type: Schema.Types.Mixed, required: true },
    refundedCents: whole,
    warnings: { type: Schema.Types.Mixed, required: true },
    failure: failureField,
    printFile: { type: new Schema(printFileFields, bare), default: null },
    renderFailure: failureField,
    due: { type: new Schema({ render: dueField, slowRender: dueField, step: dueField }, bare), required: true },
    queuedAt: moment,
    printedAt: moment,
    postedAt: moment,
    deliveredAt: moment,
    failedAt: moment,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'mail_jobs' },
);
const owned = { organizationId: 1, mode: 1 } as const;

/** The statuses that are not final: an operator may have to act. */
export const waitingStatuses = ['queued', 'printed', 'posted'] as const satisfies readonly MailStatus[];

/** Live jobs of all organizations that are not final. A partial index: final and sandbox jobs cost no write. */
export const liveWaitingIndex = { status: 1, _id: -1 } as const;

/**
 * Indexes of lists. Each one costs a write per new job, so there are only these. In each of them, a range of
 * `createdAt` is a range of ids.
 */
export const mailListIndexes = {
  /** The unfiltered list, newest first. */
  all: { ...owned, _id: -1 },
  /**
   * Any combination of status, zone and service. For a field without a filter the query lists all its values, and the
   * database merges the sorted index ranges. An index per field would need two more indexes and would be slower.
   */
  kind: { ...owned, status: 1, zone: 1, serviceType: 1, _id: -1 },
  /** For a recent `updatedAfter`, which few jobs match: they are found here and then sorted. An old one uses `all`. */
  updated: { ...owned, updatedAt: -1, _id: -1 },
  externalId: { ...owned, externalId: 1 },
  /** Costs about 40 bytes per metadata entry, and nothing for jobs without metadata. */
  metadata: { ...owned, metadataTags: 1, _id: -1 },
} as const;

// Unique indexes first: on an empty collection all plans are equal and the database picks the first index.
schema.index(mailListIndexes.externalId, {
  unique: true,
  partialFilterExpression: { externalId: { $exists: true } },
});
schema.index(
  { ...owned, idempotencyKey: 1 },
  { unique: true, partialFilterExpression: { idempotencyKey: { $exists: true } } },
);
schema.index(mailListIndexes.all);
schema.index(mailListIndexes.kind);
schema.index(mailListIndexes.updated);
schema.index(mailListIndexes.metadata, { partialFilterExpression: { metadataTags: { $exists: true } } });
schema.index(liveWaitingIndex, {
  partialFilterExpression: { mode: 'live', status: { $in: [...waitingStatuses] } },
});
addDueIndex(schema, 'due.render');
addDueIndex(schema, 'due.slowRender');
addDueIndex(schema, 'due.step');
schema.index({ 'printFile.removeAt': 1 }, { sparse: true });
/** Covers the sum of an organization's print files. */
export const storedPrintFilesIndex = { ...owned, 'printFile.sizeBytes': 1, 'printFile.removedAt': 1 } as const;
schema.index(storedPrintFilesIndex, { partialFilterExpression: { 'printFile.sizeBytes': { $gt: 0 } } });

export const MailJob = mongoose.model('MailJob', schema);

/** Returns the fields that every log line about a job contains. */
export function traceOf({ _id: mailJobId, requestId }: Pick<MailJobRecord, '_id' | 'requestId'>) {
  return { mailJobId, ...(requestId !== undefined && { requestId }) };
}

/** Jobs whose print file is due to be rendered. */
export const renderWork: DueSlot = { collection: 'mail_jobs', path: 'due.render', queue: 'render' };
/** Jobs whose rendering is too slow for a fast slot. They wait here, without a claim, until the slow slot is free. */
export const slowRenderWork: DueSlot = { collection: 'mail_jobs', path: 'due.slowRender', queue: 'render-slow' };
/** Sandbox jobs whose next step is due. */
export const stepWork: DueSlot = { collection: 'mail_jobs', path: 'due.step', queue: 'lifecycle' };
