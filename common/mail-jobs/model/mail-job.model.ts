import mongoose from 'mongoose';
import { createdByField } from '#common/audit/created-by.ts';
import type { Finding } from '#common/documents/preflight/finding.ts';
import { placements, schemeNames } from '#common/documents/sheet/envelope-schemes.ts';
import type { UploadMimeType } from '#common/mime-types.ts';
import { postalAddressFields } from '#common/organizations/organization.model.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import * as row from '#common/platform/mongo/row.ts';
import type { Amounts } from '#common/pricing/price-letter.ts';
import { letterClockField, letterClockIndexes, onClock } from '#common/sandbox/clocks/letter-clock.schema.ts';
import type { ServiceType, Zone } from '#common/services.ts';
import { failureCodes } from './failure.ts';
import { type MailStatus, mailStatuses } from './mail-status.ts';
import { returnReasons } from './returned.ts';
import { trackingSchemes } from './tracking.ts';

const failurePart = row.part({ code: row.oneOf(failureCodes), message: row.text });

const itemFields = {
  itemId: row.text,
  ...postalAddressFields,
  status: row.oneOf(mailStatuses),
  /** Why this item failed. Absent unless it did. */
  failure: row.optional(failurePart),
  shareCents: row.number,
  /** SHA-256 of the copy in hexadecimal, once it was made. */
  copySha256: row.optional(row.text),
  /** The number on the label of a registered item, once it was recorded. */
  tracking: row.optional(row.part({ number: row.text, scheme: row.oneOf(trackingSchemes) })),
  /** Why and when it came back from the post. Absent unless it did. */
  returned: row.optional(row.part({ reason: row.oneOf(returnReasons), at: row.date })),
};
/** The printed copy for one recipient. Has the life cycle, and is refunded by its share when it fails. */
export type MailItem = row.RecordOf<typeof itemFields>;

/** What a letter is accepted with, although the sender may not mean it. */
export const warningCodes = [
  'ACKNOWLEDGMENT_RECEIPT_IGNORED',
  'ADDRESS_SMALL',
  'RECIPIENT_RETURNED',
  'TEMPLATE_VARIABLE_UNUSED',
] as const;
export type MailWarning = { code: (typeof warningCodes)[number]; path: (string | number)[]; message: string };

const printFileFields = {
  s3Key: row.text,
  /** Absent once the letter is redacted. */
  sha256: row.optional(row.text),
  sizeBytes: row.number,
  pageCount: row.number,
  renderedAt: row.date,
  /** The envelope, and where each copy has its address. Decided by the rendering. */
  scheme: row.oneOf(schemeNames),
  placement: row.oneOf(placements),
  /** Absent: printed on both sides. */
  doubleSided: row.optional(row.flag),
  /** Indexes of its pages with colours that are printed in grey. Absent without any, as in a letter in colour. */
  greyPages: row.optional(row.list(row.number)),
  /** When the file is due to be removed from the store. Set only for test jobs, until the file is removed. */
  removeAt: row.optional(row.date),
  /** When the file was removed from the store. */
  removedAt: row.optional(row.date),
};
export type PrintFileRecord = row.RecordOf<typeof printFileFields>;

const fileFields = {
  s3Key: row.text,
  filename: row.text,
  mimeType: row.textOf<UploadMimeType>(),
  sizeBytes: row.number,
  etag: row.text,
};
const failureField = row.nullable(failurePart);

const fields = {
  /** Contains `createdAt`, so a range of times is a range of ids. */
  _id: row.text,
  ...row.owned,
  /** Absent, not null, when the caller gave none: the unique index covers only jobs that have the field. */
  externalId: row.optional(row.text),
  idempotencyKey: row.optional(row.text),
  /** Keyed hash of the request body. Distinguishes a repeat from a different request with the same id. */
  requestHash: row.text,
  /** Id of the API key or OAuth grant that created the job. */
  credentialId: row.text,
  /** Names no person, so redaction keeps it. */
  createdBy: createdByField,
  /** X-Request-Id of the request that created the job, for logs. Absent when there was none. */
  requestId: row.optional(row.text),
  /** The trace that what happens to the job continues (W3C Trace Context). Absent when it was created without tracing. */
  traceparent: row.optional(row.text),
  /** Derived from the items: see `statusOfItems`. */
  status: row.oneOf(mailStatuses),
  zone: row.textOf<Zone>(),
  serviceType: row.textOf<ServiceType>(),
  pages: row.number,
  color: row.flag,
  /** Absent: both sides. */
  doubleSided: row.optional(row.flag),
  acknowledgmentReceipt: row.flag,
  scheduledDropAt: row.nullable(row.date),
  dropAt: row.date,
  /** When the batch of the cutoff `dropAt` closes. */
  closesAt: row.date,
  sender: row.part(postalAddressFields),
  items: row.list(row.part(itemFields)),
  files: row.list(row.part(fileFields)),
  /** The version of a template that the file was made of. Absent for other letters. */
  template: row.optional(row.part({ templateId: row.text, version: row.number })),
  webhookUrl: row.nullable(row.text),
  /** Both are absent when the caller gave none. Filters search the tags, see `tagOf`. */
  metadata: row.optional(row.list(row.part({ key: row.text, value: row.text }))),
  metadataTags: row.optional(row.list(row.text)),
  amounts: row.mixed<Amounts>(),
  refundedCents: row.number,
  warnings: row.mixed<MailWarning[]>(),
  failure: failureField,
  printFile: row.nullable(row.part(printFileFields)),
  /** What the rendering found out about the files and addresses. Absent before it. */
  findings: row.optional(row.mixed<Finding[]>()),
  /** The batch in which all items of the job go to press. Absent until it was collected. */
  batchId: row.optional(row.text),
  /**
   * The tracking numbers of the items, for the unique index. Absent while there is none: an index on the items themselves
   * would store null for each item without a number, and refuse the second such letter.
   */
  trackingNumbers: row.optional(row.list(row.text)),
  /** Failure of a rendering that ended when the job was already final. Recorded only, without effect. */
  renderFailure: failureField,
  /**
   * `slowRender`: the rendering exceeded the budget of a fast slot and waits for the slow slot. `batch`: a live job is
   * collected for its batch when that closes.
   */
  due: row.part({ render: dueField, slowRender: dueField, step: dueField, batch: dueField }),
  clock: letterClockField,
  /**
   * From when on the days count after which the print file is removed, and the recipients redacted. Set when the job
   * settles, for a registered letter that is posted to when it settles without a report. Absent again when it is done.
   */
  retention: row.optional(row.part({ documentsFrom: row.optional(row.date), addressesFrom: row.optional(row.date) })),
  /** When the fields of the recipients were replaced. */
  redactedAt: row.optional(row.date),
  /** When each status was reached; null when it was not reached or was skipped. */
  queuedAt: row.nullable(row.date),
  printedAt: row.nullable(row.date),
  postedAt: row.nullable(row.date),
  deliveredAt: row.nullable(row.date),
  failedAt: row.nullable(row.date),
  createdAt: row.date,
  updatedAt: row.date,
};
export type MailJobRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('mail_jobs', fields);
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
/** A number is on one item. Also finds the letter that a carrier reports about. Only tracked jobs cost a write. */
export const trackingIndex = { trackingNumbers: 1 } as const;
schema.index(trackingIndex, { unique: true, partialFilterExpression: { trackingNumbers: { $exists: true } } });
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
addDueIndex(schema, 'due.batch');
/** For the lists of a batch, and for scans and searches of operators. Only jobs in a batch cost a write. */
const batched = { partialFilterExpression: { batchId: { $exists: true } } };
export const batchIndex = { batchId: 1, _id: 1 } as const;
schema.index(batchIndex, batched);
schema.index({ 'items.itemId': 1 }, batched);
export const batchedZipIndex = { 'items.zip': 1, _id: -1 } as const;
schema.index(batchedZipIndex, batched);
/** Of all organizations: an operator does not know whose letter it is. */
export const batchedExternalIdIndex = { externalId: 1, _id: -1 } as const;
schema.index(batchedExternalIdIndex, {
  partialFilterExpression: { batchId: { $exists: true }, externalId: { $exists: true } },
});
/** Live letters that need a receipt form: in a batch, and not posted. No other letter costs a write. */
export const receiptIndex = { dropAt: 1, _id: 1 } as const;
schema.index(receiptIndex, {
  partialFilterExpression: {
    mode: 'live',
    serviceType: 'registered',
    acknowledgmentReceipt: true,
    batchId: { $exists: true },
    status: { $in: ['queued', 'printed'] },
  },
});
for (const index of letterClockIndexes) schema.index(index, onClock);
schema.index({ 'printFile.removeAt': 1 }, { sparse: true });
schema.index({ 'retention.documentsFrom': 1 }, { sparse: true });
schema.index({ 'retention.addressesFrom': 1 }, { sparse: true });
/** Covers the sum of an organization's print files. */
export const storedPrintFilesIndex = { ...owned, 'printFile.sizeBytes': 1, 'printFile.removedAt': 1 } as const;
schema.index(storedPrintFilesIndex, { partialFilterExpression: { 'printFile.sizeBytes': { $gt: 0 } } });

export const MailJob = mongoose.model('MailJob', schema);

/** Returns the fields that every log line about a job contains. */
export function logFieldsOf({ _id: mailJobId, requestId }: Pick<MailJobRecord, '_id' | 'requestId'>) {
  return { mailJobId, ...(requestId !== undefined && { requestId }) };
}

const collection = 'mail_jobs';
/** Jobs whose print file is due to be rendered. */
export const renderWork: DueSlot = { collection, path: 'due.render', queue: 'render' };
/** Jobs whose rendering is too slow for a fast slot. They wait here, without a claim, until the slow slot is free. */
export const slowRenderWork: DueSlot = { collection, path: 'due.slowRender', queue: 'render-slow' };
/** Sandbox jobs whose next step is due. */
export const stepWork: DueSlot = { collection, path: 'due.step', queue: 'lifecycle' };
/** Live jobs to collect for their batches. */
export const collectWork: DueSlot = { collection, path: 'due.batch', queue: 'batch' };
