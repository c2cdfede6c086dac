import type { ReturnedItemView } from '#common/mail-jobs/read/returned-items.ts';
import type { TimelineEntry } from '#common/mail-jobs/read/timeline.ts';
import type { MailDetail, MailSummary } from '#common/mail-jobs/views/mail-job.view.ts';
import { serviceTypes } from '#common/services.ts';
import { s3Key, uploadRequest } from './document-examples.ts';
import { byKey, createdAt, externalId, itemId, mailJobId, recipient } from './shared-examples.ts';

const letter = { zone: 'NATIONAL', serviceType: 'registered', pages: 3 } as const;
const flags = { color: false, doubleSided: true, acknowledgmentReceipt: false };

/** Prices of a fictitious tariff. They add up. */
export const amounts = {
  currency: 'EUR',
  unitNetCents: 960,
  recipientCount: 1,
  netCents: 960,
  vatCents: 13,
  totalCents: 973,
  lines: [
    { code: 'HANDLING', description: 'Handling', quantity: 1, unitCents: 40, netCents: 40, vatPercent: 21 },
    { code: 'PRINT', description: 'Printing, 3 pages', quantity: 1, unitCents: 24, netCents: 24, vatPercent: 21 },
    { code: 'POSTAGE', description: 'Postage, 15 g', quantity: 1, unitCents: 163, netCents: 163, vatPercent: 0 },
    { code: 'REGISTERED', description: 'Registered', quantity: 1, unitCents: 733, netCents: 733, vatPercent: 0 },
  ],
  vat: [
    { percent: 0, netCents: 896, vatCents: 0 },
    { percent: 21, netCents: 64, vatCents: 13 },
  ],
  sheets: 2,
  weightGrams: 15,
  envelopes: 1,
} satisfies MailDetail['amounts'];

export const quoteRequest = { ...letter, recipientCount: 1 };
export const aQuote = { ...amounts, ...letter, ...flags, tariffId: 'tar_01m7ynaxr6fqa9hh3xxt5p1wh4' };

export const mailJobMetadata = { department: 'billing', invoice: '2026-0042' };
export const mailJobRequest = {
  ...letter,
  recipients: [recipient],
  files: [{ s3Key }],
  externalId,
  metadata: mailJobMetadata,
};

export const aMailJobSummary = {
  mailJobId,
  externalId,
  status: 'queued',
  mode: 'test',
  ...letter,
  ...flags,
  recipientCount: 1,
  currency: 'EUR',
  totalCents: amounts.totalCents,
  scheduledDropAt: null,
  dropAt: '2026-03-02T14:00:00.000Z',
  metadata: mailJobMetadata,
  createdAt,
  updatedAt: createdAt,
} satisfies MailSummary;

export const aReturnedItem = {
  itemId,
  mailJobId,
  externalId,
  status: 'posted',
  returned: { reason: 'moved', at: '2026-03-09T08:15:00.000Z' },
  name: recipient.name,
  zip: recipient.zip,
  city: recipient.city,
  country: recipient.country,
} satisfies ReturnedItemView;

const cancelled = { code: 'CANCELLED' as const, message: 'The sender cancelled the letter.' };

export const aMailJob = {
  ...aMailJobSummary,
  recipients: [
    {
      ...{ ...recipient, line2: null, itemId, status: 'queued', failure: null, copySha256: null },
      ...{ returned: null, trackingNumber: null, trackingScheme: null },
    },
  ],
  sender: {
    name: 'Papeterie du Parc',
    line1: 'Chaussée de Charleroi 12',
    line2: null,
    zip: '1060',
    city: 'Saint-Gilles',
    country: 'BE',
  },
  files: [{ s3Key, ...uploadRequest, etag: '"9e107d9d372bb6826bd81d3542a419d6"' }],
  template: null,
  amounts,
  webhookUrl: null,
  sandboxClockId: null,
  ...byKey,
  failure: null,
  refundedCents: 0,
  counts: { queued: 1, printed: 0, posted: 0, delivered: 0, failed: 0 },
  cancellableUntil: '2026-03-02T09:30:10.000Z',
  actions: ['cancel', 'reschedule', 'simulate'],
  queuedAt: createdAt,
  printedAt: null,
  postedAt: null,
  deliveredAt: null,
  failedAt: null,
} satisfies MailDetail;

export const aCancelledJob = {
  ...aMailJob,
  status: 'failed' as const,
  recipients: aMailJob.recipients.map((each) => ({ ...each, status: 'failed' as const, failure: cancelled })),
  failure: cancelled,
  refundedCents: amounts.totalCents,
  counts: { queued: 0, printed: 0, posted: 0, delivered: 0, failed: 1 },
  cancellableUntil: null,
  actions: ['redact' as const],
  failedAt: createdAt,
  refunds: [{ itemId, transactionId: 'txn_01m7ynaxr6fqa9hh2zy9myc877', amountCents: amounts.totalCents }],
};

export const aTimeline = [
  { at: createdAt, itemId: null, kind: 'queued', detail: {} },
  { at: '2026-03-02T09:30:04.000Z', itemId: null, kind: 'rendered', detail: { pages: 3 } },
  { at: '2026-03-02T13:40:00.000Z', itemId, kind: 'printed', detail: {} },
] satisfies TimelineEntry[];

export const calendarRange = { from: '2026-05-01', to: '2026-05-04' };
const cutoffsAt = (times: { dropAt: string | null; closesAt: string | null }) =>
  serviceTypes.map((serviceType) => ({ serviceType, ...times }));
const noCutoffs = cutoffsAt({ dropAt: null, closesAt: null });
/** A holiday, a weekend and a working day. */
export const aCalendar = {
  timeZone: 'Europe/Brussels' as const,
  leadMinutes: 90,
  data: [
    { date: '2026-05-01', isWorkingDay: false, holiday: 'Labour Day', cutoffs: noCutoffs },
    { date: '2026-05-02', isWorkingDay: false, holiday: null, cutoffs: noCutoffs },
    { date: '2026-05-03', isWorkingDay: false, holiday: null, cutoffs: noCutoffs },
    {
      date: '2026-05-04',
      isWorkingDay: true,
      holiday: null,
      cutoffs: cutoffsAt({ dropAt: '2026-05-04T13:00:00.000Z', closesAt: '2026-05-04T11:30:00.000Z' }),
    },
  ],
};

const asTaken = { dryRun: false, payloadMatches: true, balanceSufficient: true, warnings: [] };
export const aNewReceipt = { ...aMailJob, ...asTaken, duplicate: false };
export const aRepeatReceipt = { ...aMailJob, ...asTaken, duplicate: true };
