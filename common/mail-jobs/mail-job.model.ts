import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { type PostalAddress, postalAddressFields } from '../organizations/organization.model.ts';
import { dueField } from '../platform/due.schema.ts';
import type { Due, DueSlot } from '../platform/due-work.ts';
import { modelOptions } from '../platform/model-options.ts';
import type { Amounts } from '../pricing/price-letter.ts';
import type { ServiceType, Zone } from '../pricing/tariff.schema.ts';
import type { PinnedFile } from '../uploads/check-uploads.ts';
import { type Failure, failureCodes } from './failure.ts';
import { type MailStatus, mailStatuses } from './lifecycle.ts';
import type { MetadataEntry } from './metadata.schema.ts';

/** The printed copy for one recipient. It is refunded by its share, on its own. */
export type MailItem = PostalAddress & { itemId: string; status: MailStatus; shareCents: number };

export type MailWarning = { code: string; path: (string | number)[]; message: string };

/** When each status was reached; null for one not reached, or skipped by a jump. */
export type Moments = Record<`${MailStatus}At`, Date | null>;

export type PrintFileRecord = {
  s3Key: string;
  sha256: string;
  sizeBytes: number;
  pageCount: number;
  renderedAt: Date;
};

export type MailJobRecord = Moments & {
  /** Carries `createdAt`: a range of times is a range of ids. */
  _id: string;
  organizationId: string;
  mode: Mode;
  /** Absent when the caller gave none: the unique index covers only those that are there. */
  externalId?: string;
  idempotencyKey?: string;
  /** Hash of the request, to tell a repeat from a different request under the same id. */
  requestHash: string;
  /** The X-Request-Id of the request that made it, for the logs; absent where nobody gave one. */
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
  /** Both are absent when the caller gave none. The tags are what a filter looks for, see `tagsOf`. */
  metadata?: MetadataEntry[];
  metadataTags?: string[];
  amounts: Amounts;
  refundedCents: number;
  warnings: MailWarning[];
  failure: Failure | null;
  printFile: PrintFileRecord | null;
  /** A rendering that failed when the job was final already: on record, without effect. */
  renderFailure: Failure | null;
  due: { render?: Due; step?: Due };
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
const printFileFields = { s3Key: text, sha256: text, sizeBytes: whole, pageCount: whole, renderedAt: moment };

const schema = new Schema<MailJobRecord>(
  {
    _id: text,
    organizationId: text,
    mode: { type: String, enum: modes, required: true },
    externalId: String,
    idempotencyKey: String,
    requestHash: text,
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
    due: { type: new Schema({ render: dueField, step: dueField }, bare), required: true },
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

/** On its way: an operator may have to do something. */
export const waitingStatuses = ['queued', 'printed', 'posted'] as const satisfies readonly MailStatus[];

/** Live letters on their way, of all organizations: few of many, and a sandbox letter costs nothing. */
export const liveWaitingIndex = { status: 1, _id: -1 } as const;

/**
 * What lists go by. Every index costs each new job a write, so there are no more than these; ranges of createdAt are
 * ranges of ids in any of them.
 */
export const mailListIndexes = {
  /** The list, newest first. */
  all: { ...owned, _id: -1 },
  /**
   * Status, zone and service in any combination: of those that are not asked for, all values are, and the database
   * merges the few pieces in their order. One index for each of the three would be two more, and worse.
   */
  kind: { ...owned, status: 1, zone: 1, serviceType: 1, _id: -1 },
  /** What changed lately is few of many, found here and then sorted; what changed long ago is most, found in `all`. */
  updated: { ...owned, updatedAt: -1, _id: -1 },
  externalId: { ...owned, externalId: 1 },
  /** Costs nothing for jobs without metadata, and some forty bytes for each entry of the others. */
  metadata: { ...owned, metadataTags: 1, _id: -1 },
} as const;

// The unique ones first: where an empty collection makes all equal, the database takes the first.
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
schema.index({ 'due.render.at': 1 }, { sparse: true });
schema.index({ 'due.step.at': 1 }, { sparse: true });

export const MailJob = mongoose.model('MailJob', schema);

/** What each line of a log about a job says of it. */
export function traceOf({ _id: mailJobId, requestId }: Pick<MailJobRecord, '_id' | 'requestId'>) {
  return { mailJobId, ...(requestId !== undefined && { requestId }) };
}

/** Jobs whose print file is to be made. */
export const renderWork: DueSlot = { collection: 'mail_jobs', path: 'due.render', queue: 'render' };
/** Sandbox jobs whose next step is due. */
export const stepWork: DueSlot = { collection: 'mail_jobs', path: 'due.step', queue: 'lifecycle' };
