import { z } from 'zod';
import { modes } from '../modes.ts';
import { currency } from '../money.ts';
import { lineCodes, serviceTypes, zones } from '../pricing/tariff.schema.ts';
import { failureCodes } from './failure.ts';
import { type MailStatus, mailStatuses } from './lifecycle.ts';
import type { MailJobRecord } from './mail-job.model.ts';

const Moment = z.iso.datetime();
const Cents = z.int();

/** The price of a mail job; a quote carries the same fields at its top level. */
export const amountFields = {
  currency: z.literal(currency),
  unitNetCents: Cents,
  recipientCount: z.int(),
  netCents: Cents,
  vatCents: Cents,
  totalCents: Cents,
  lines: z.array(
    z.object({
      code: z.enum(lineCodes),
      description: z.string(),
      quantity: z.int(),
      unitCents: Cents,
      netCents: Cents,
      vatPercent: z.number(),
    }),
  ),
  vat: z.array(z.object({ percent: z.number(), netCents: Cents, vatCents: Cents })),
  sheets: z.int(),
  weightGrams: z.int(),
  envelopes: z.int(),
};

const AddressView = z.object({
  name: z.string(),
  line1: z.string(),
  line2: z.string().nullable(),
  zip: z.string(),
  city: z.string(),
  country: z.string(),
});

const summaryFields = {
  mailJobId: z.string(),
  externalId: z.string().nullable(),
  status: z.enum(mailStatuses),
  mode: z.enum(modes),
  zone: z.enum(zones),
  serviceType: z.enum(serviceTypes),
  pages: z.int(),
  color: z.boolean(),
  acknowledgmentReceipt: z.boolean(),
  recipientCount: z.int(),
  currency: z.literal(currency),
  totalCents: Cents,
  scheduledDropAt: Moment.nullable(),
  dropAt: Moment,
  createdAt: Moment,
  updatedAt: Moment,
};

/** A mail job as lists show it. */
export const MailSummary = z.object(summaryFields);
export type MailSummary = z.infer<typeof MailSummary>;

const detailFields = {
  ...summaryFields,
  recipients: z.array(AddressView.extend({ itemId: z.string(), status: z.enum(mailStatuses) })),
  sender: AddressView,
  files: z.array(z.object({ s3Key: z.string(), filename: z.string(), mimeType: z.string(), sizeBytes: z.int() })),
  amounts: z.object(amountFields),
  webhookUrl: z.string().nullable(),
  failure: z.object({ code: z.enum(failureCodes), message: z.string() }).nullable(),
  refundedCents: Cents,
  counts: z.record(z.enum(mailStatuses), z.int()),
  queuedAt: Moment.nullable(),
  printedAt: Moment.nullable(),
  postedAt: Moment.nullable(),
  deliveredAt: Moment.nullable(),
  failedAt: Moment.nullable(),
};

/** A mail job in full. */
export const MailDetail = z.object(detailFields);
export type MailDetail = z.infer<typeof MailDetail>;

/** The answer of POST /v1/mails: the detail, and how the request was taken. A dry run has no id. */
export const MailReceipt = z.object({
  ...detailFields,
  mailJobId: z.string().nullable(),
  dryRun: z.boolean(),
  duplicate: z.boolean(),
  payloadMatches: z.boolean(),
  balanceSufficient: z.boolean(),
  warnings: z.array(z.object({ code: z.string(), path: z.array(z.union([z.string(), z.int()])), message: z.string() })),
});
export type MailReceipt = z.infer<typeof MailReceipt>;

/** The fields of a job that its summary is made of: lists read no more than these. */
export type SummaryRecord = Pick<
  MailJobRecord,
  | '_id'
  | 'externalId'
  | 'status'
  | 'mode'
  | 'zone'
  | 'serviceType'
  | 'pages'
  | 'color'
  | 'acknowledgmentReceipt'
  | 'scheduledDropAt'
  | 'dropAt'
  | 'createdAt'
  | 'updatedAt'
> & { amounts: Pick<MailJobRecord['amounts'], 'currency' | 'totalCents' | 'recipientCount'> };

export function toMailSummary(job: SummaryRecord): MailSummary {
  return {
    mailJobId: job._id,
    externalId: job.externalId ?? null,
    status: job.status,
    mode: job.mode,
    zone: job.zone,
    serviceType: job.serviceType,
    pages: job.pages,
    color: job.color,
    acknowledgmentReceipt: job.acknowledgmentReceipt,
    recipientCount: job.amounts.recipientCount,
    currency: job.amounts.currency,
    totalCents: job.amounts.totalCents,
    scheduledDropAt: job.scheduledDropAt?.toISOString() ?? null,
    dropAt: job.dropAt.toISOString(),
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
  };
}

export function toMailDetail(job: MailJobRecord): MailDetail {
  const moment = (status: MailStatus) => job[`${status}At`]?.toISOString() ?? null;
  return {
    ...toMailSummary(job),
    recipients: job.items.map(({ shareCents: _, ...item }) => item),
    sender: job.sender,
    files: job.files.map(({ etag: _, ...file }) => file),
    amounts: job.amounts,
    webhookUrl: job.webhookUrl,
    failure: job.failure,
    refundedCents: job.refundedCents,
    counts: countItems(job),
    queuedAt: moment('queued'),
    printedAt: moment('printed'),
    postedAt: moment('posted'),
    deliveredAt: moment('delivered'),
    failedAt: moment('failed'),
  };
}

function countItems({ items }: MailJobRecord): Record<MailStatus, number> {
  const count = (status: MailStatus) => items.filter((item) => item.status === status).length;
  return Object.fromEntries(mailStatuses.map((status) => [status, count(status)])) as Record<MailStatus, number>;
}
