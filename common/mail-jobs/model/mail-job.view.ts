import { z } from 'zod';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import { addressViewFields } from '#common/fields/text.schema.ts';
import { modes } from '#common/modes.ts';
import { currency } from '#common/money.ts';
import { lineCodes, serviceTypes, zones } from '#common/pricing/tariff.schema.ts';
import { Failure } from './failure.ts';
import { type MailStatus, mailStatuses } from './lifecycle.ts';
import type { MailJobRecord } from './mail-job.model.ts';
import { toMetadata } from './metadata.schema.ts';

const Moment = z.iso.datetime();
const Cents = z.int();

/** The price of a mail job. A quote has the same fields at its top level. */
export const amountFields = {
  currency: z.literal(currency),
  unitNetCents: Cents.describe('For one recipient, without VAT.'),
  recipientCount: z.int(),
  netCents: Cents,
  vatCents: Cents,
  totalCents: Cents.describe('What the wallet is debited: net and VAT.'),
  lines: z.array(
    z.object({
      code: openEnum(lineCodes),
      description: z.string(),
      quantity: z.int(),
      unitCents: Cents,
      netCents: Cents,
      vatPercent: z.number(),
    }),
  ),
  vat: z
    .array(z.object({ percent: z.number(), netCents: Cents, vatCents: Cents }))
    .describe('VAT by rate, computed once on the sum of the lines of that rate.'),
  sheets: z.int().describe('Of one copy.'),
  weightGrams: z.int().describe('Of one copy, with its envelopes.'),
  envelopes: z.int().describe('Of one copy: more than one when it is heavier than one can be.'),
};

const PostalAddressView = z.object(addressViewFields).meta({ id: 'PostalAddress' });

const RecipientView = z
  .object({ ...addressViewFields, itemId: z.string(), status: z.enum(mailStatuses) })
  .meta({ id: 'Recipient' });

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
  dropAt: Moment.describe('When it is planned to be handed to the post.'),
  metadata: z.record(z.string(), z.string()).describe('As it was given; {} when there was none.'),
  createdAt: Moment,
  updatedAt: Moment,
};

/** A mail job in lists. */
export const MailSummary = z.object(summaryFields).meta({ id: 'MailJobSummary' });
export type MailSummary = z.infer<typeof MailSummary>;

export const detailFields = {
  ...summaryFields,
  recipients: z.array(RecipientView),
  sender: PostalAddressView,
  files: z.array(z.object({ s3Key: z.string(), filename: z.string(), mimeType: z.string(), sizeBytes: z.int() })),
  amounts: z.object(amountFields).meta({ id: 'Amounts' }),
  webhookUrl: z.string().nullable(),
  failure: Failure.nullable(),
  refundedCents: Cents,
  counts: z.record(z.enum(mailStatuses), z.int()).describe('How many copies have each status.'),
  queuedAt: Moment.nullable(),
  printedAt: Moment.nullable(),
  postedAt: Moment.nullable(),
  deliveredAt: Moment.nullable(),
  failedAt: Moment.nullable(),
};

/** A mail job with all details. */
export const MailDetail = z.object(detailFields).meta({ id: 'MailJob' });
export type MailDetail = z.infer<typeof MailDetail>;

/** The fields that a summary needs. Lists read only these from the database. */
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
  | 'metadata'
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
    metadata: toMetadata(job.metadata),
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
  const counts = Object.fromEntries(mailStatuses.map((status) => [status, 0])) as Record<MailStatus, number>;
  for (const { status } of items) counts[status] += 1;
  return counts;
}
