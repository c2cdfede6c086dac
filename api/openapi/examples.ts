import type { MailDetail, MailSummary } from '#common/mail-jobs/model/mail-job.view.ts';
import type { PreflightView } from '#common/mail-jobs/preflight/preflight.view.ts';
import type { ReturnedItemView } from '#common/mail-jobs/read/returned-items.ts';
import type { TimelineEntry } from '#common/mail-jobs/read/timeline.ts';
import type { CallerView } from '#common/oauth/caller.view.ts';
import { serviceTypes } from '#common/services.ts';
import type { LetterheadView } from '#common/templates/letterhead.schema.ts';
import type { TemplatePreview, TemplateSummary, TemplateView } from '#common/templates/template.view.ts';
import type { StatementView } from '#common/wallet/statements/statement.view.ts';

// All examples of the documentation describe one registered letter of three pages, with its sender, file and cost.

export const mailJobId = 'mj_01m7ynaxr5fqa9hh2hay4xy8yc';
export const externalId = 'invoice-2026-0042';
export const createdAt = '2026-03-02T09:30:00.000Z';

const organizationId = 'org_01m7ynaxr6fqa9hh2v9m3r0c5t';
export const aCaller = {
  ...{ organizationId, organizationName: 'Example Ltd', mode: 'test', scopes: ['read', 'send'] },
  credential: {
    ...{ kind: 'api_key', id: 'testk5x2v7q3n6a4c3d2', name: 'Billing', clientId: null, expiresAt: null },
  },
  createdAt,
} satisfies CallerView;

const itemId = 'mi_01m7ynaxr6fqa9hh3cq0zdb2vk';
export const mailJobPath = { id: mailJobId };

const recipient = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
const letter = { zone: 'NATIONAL', serviceType: 'registered', pages: 3 } as const;
const flags = { color: false, doubleSided: true, acknowledgmentReceipt: false };

/** Prices of a fictitious tariff. They add up. */
const amounts = {
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

const s3Key = `u/${organizationId}/k5x2v7q3n6a4c3d2`;
export const uploadRequest = { filename: 'invoice.pdf', mimeType: 'application/pdf', sizeBytes: 48_213 } as const;
export const anUpload = {
  s3Key,
  uploadUrl: `https://files.example.com/bluejay/${s3Key}?X-Amz-Expires=600&X-Amz-Signature=0a1b2c`,
  method: 'PUT',
  headers: { 'content-type': 'application/pdf' },
  expiresAt: '2026-03-02T09:39:00.000Z',
  usableUntil: '2026-03-03T09:29:00.000Z',
} as const;

export const mailJobMetadata = { department: 'billing', invoice: '2026-0042' };
export const aLetterhead = {
  senderLines: ['Example Ltd', 'Rue Haute 1, 1000 Bruxelles'],
  footerLines: ['VAT BE 0123.456.749'],
  logo: null,
  updatedAt: createdAt,
} satisfies LetterheadView;
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

/** The API key of the examples. */
export const byKey = { createdBy: { kind: 'api_key' as const, id: 'testb2xqf4tmzd5kc7rs' } };

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

export const addressPath = { id: 'adr_01m7ynaxr6fqa9hh2zy9myc868' };
export const addressRequest = { kind: 'RECIPIENT', ...recipient, label: 'Ada, at home' } as const;
export const anAddress = {
  ...addressPath,
  ...addressRequest,
  line2: null,
  isDefault: false,
  ...byKey,
  createdAt,
  updatedAt: createdAt,
};

export const transactionId = 'txn_01m7ynaxr6fqa9hh3d0t9c8w2e';
export const aWallet = {
  balanceCents: 99_027,
  currency: 'EUR',
  mode: 'test',
  lowBalanceCents: 10_000,
  isLow: false,
  updatedAt: createdAt,
} as const;

const aLine = {
  transactionId: 'txn_01m7ynaxr6fqa9hh49v2c3q8wm',
  seq: 2,
  kind: 'debit',
  amountCents: -amounts.totalCents,
  balanceAfterCents: aWallet.balanceCents,
  mailJobId,
  itemId: null,
  reference: null,
  reason: null,
  createdAt,
} satisfies StatementView['lines'][number];
export const aWalletTransaction = { ...aLine, currency: 'EUR' } as const;

export const aStatement = {
  month: '2026-03',
  mode: 'test',
  currency: 'EUR',
  startsAt: '2026-02-28T23:00:00.000Z',
  endsAt: '2026-03-31T22:00:00.000Z',
  isFinal: true,
  openingBalanceCents: 100_000,
  lines: [aLine],
  vat: amounts.vat.map((rate) => ({ ...rate, grossCents: rate.netCents + rate.vatCents })),
  closingBalanceCents: aWallet.balanceCents,
} satisfies StatementView;
export const aStatementAsCsv = `record,createdAt,seq,transactionId,kind,amountCents,balanceCents,mailJobId,itemId,reference,reason,vatPercent,netCents,vatCents,grossCents\r
opening,2026-02-28T23:00:00.000Z,,,,,100000,,,,,,,,\r
line,${createdAt},2,${aLine.transactionId},debit,-973,99027,${mailJobId},,,,,,,\r
vat,,,,,,,,,,,0,896,0,896\r
vat,,,,,,,,,,,21,64,13,77\r
closing,2026-03-31T22:00:00.000Z,,,,,99027,,,,,,,,\r
`;

const temporaryUrl = (filename: string) =>
  `https://files.example.com/bluejay/t/5f0c2f3e-1b77-4c1a-9d5e-2f4f6f0c9a51/${filename}?X-Amz-Expires=300&X-Amz-Signature=9c8b7a`;
const expiresAt = '2026-03-02T09:36:00.000Z';
export const aProof = {
  url: temporaryUrl(`${itemId}.pdf`),
  expiresAt,
  itemId,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  pages: 3,
};
export const aPreview = { url: temporaryUrl(`${itemId}-1.png`), expiresAt };

export const preflightId = 'pf_01m7ynaxr6fqa9hh3dsy4mw9wk';
export const preflightRequest = { files: [{ s3Key }] };
export const aPreflight = {
  preflightId,
  status: 'done',
  canBePrinted: true,
  letter: { pages: 3, sheets: 2, doubleSided: true, weightGrams: 15, envelope: 'DL', envelopes: 1, addressOn: 'page' },
  findings: [
    {
      code: 'low_resolution',
      severity: 'warning',
      page: 2,
      boxMm: { x: 25, y: 60.5, width: 80, height: 53.3 },
      message:
        'Page 2 has an image of 96 dots per inch: 80.0 x 53.3 mm, 25.0 mm from the left and 60.5 mm from the top. Below 150 it looks blurred or jagged on paper.',
      fix: 'Use a larger image, or scan with at least 200 dots per inch.',
    },
  ],
  overlayUrl: temporaryUrl(`${preflightId}.png`),
  expiresAt: '2026-03-03T09:30:00.000Z',
} satisfies PreflightView;

export const templateId = 'tpl_01m7ynaxr6fqa9hh3vtb0xr0x4';
export const templateRequest = {
  name: 'Payment reminder',
  language: 'en',
  text: '# Your invoice ((invoice))\n\nDear ((name)),\n\nPlease pay **((amount)) EUR** within 14 days.',
} as const;
export const aTemplate = {
  templateId,
  version: 1,
  ...templateRequest,
  variables: [
    { name: 'invoice', isPrinted: true, isRecipient: false },
    { name: 'name', isPrinted: true, isRecipient: true },
    { name: 'amount', isPrinted: true, isRecipient: false },
  ],
  ...byKey,
  createdAt,
} satisfies TemplateView;
export const aTemplateSummary = {
  ...{ templateId, version: 1, name: templateRequest.name, language: templateRequest.language },
  ...{ ...byKey, createdAt, updatedAt: createdAt },
} satisfies TemplateSummary;
export const mergeVariables = { invoice: '2026-0012', name: 'Ada Lovelace', amount: '120.00' };
export const aTemplatePreview = {
  ...{ templateId, version: 1, pages: 1, missingVariables: [], unusedVariables: [] },
  ...{ url: temporaryUrl('letter.pdf'), expiresAt },
} satisfies TemplatePreview;
