import { z } from 'zod';
import type { Scope } from '#common/access/scopes.ts';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { CreatedBy, toCreatedBy } from '#common/audit/created-by.ts';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import { addressViewFields } from '#common/fields/text.schema.ts';
import { modes } from '#common/modes.ts';
import { currency } from '#common/money.ts';
import { Amounts } from '#common/pricing/amounts.schema.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { Failure } from '../model/failure.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import { type MailStatus, mailStatuses } from '../model/mail-status.ts';
import { toMetadata } from '../model/metadata.schema.ts';
import { Returned, toReturned } from '../model/returned.ts';
import { trackingSchemes } from '../model/tracking.ts';
import { actionsOf, cancellableUntil, mailActions } from '../rules/actions.ts';

const Moment = z.iso.datetime();
const Cents = z.int();

const PostalAddressView = z.object(addressViewFields).meta({ id: 'PostalAddress' });

const RecipientView = z
  .object({
    ...addressViewFields,
    itemId: z.string(),
    status: z.enum(mailStatuses),
    failure: Failure.nullable().describe('Why this copy failed. Its share of the price was refunded.'),
    copySha256: z
      .string()
      .nullable()
      .describe('SHA-256 of this copy in hexadecimal, once its proof was made or it was sent to press.'),
    trackingNumber: z
      .string()
      .nullable()
      .describe('The number on the label of a registered copy, without spaces, once the print shop recorded it.'),
    trackingScheme: openEnum(trackingSchemes)
      .nullable()
      .describe(
        'What kind of number it is: of UPU standard S10, of bpost (30 digits, or JJBEA and 18 digits), or another.',
      ),
    returned: Returned.nullable().describe('Why and when this copy came back from the post. Its status stays.'),
  })
  .meta({ id: 'Recipient' });

/** A file of a letter. */
const fileViewFields = {
  ...{ s3Key: z.string(), filename: z.string(), mimeType: z.string(), sizeBytes: z.int() },
  etag: z
    .string()
    .describe(
      'Stands for the bytes: their MD5 digest in quotes, if the object store computes it. Sent with the file after a dry run, it refuses other bytes.',
    ),
};

const summaryFields = {
  mailJobId: z.string(),
  externalId: z.string().nullable(),
  status: z.enum(mailStatuses),
  mode: z.enum(modes),
  zone: z.enum(zones),
  serviceType: z.enum(serviceTypes),
  pages: z.int(),
  color: z.boolean(),
  doubleSided: z.boolean(),
  acknowledgmentReceipt: z.boolean(),
  recipientCount: z.int(),
  currency: z.literal(currency),
  totalCents: Cents,
  scheduledDropAt: Moment.nullable(),
  dropAt: Moment.describe(
    'When it is planned to be handed to the post: the first cutoff, not before `scheduledDropAt`, whose batch was open.',
  ),
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
  files: z.array(z.object(fileViewFields)),
  template: z
    .object({ templateId: z.string(), version: z.int() })
    .nullable()
    .describe('The template that the file was made of, and its version then.'),
  amounts: Amounts,
  webhookUrl: z.string().nullable(),
  sandboxClockId: z.string().nullable().describe('The test clock that the letter follows.'),
  createdBy: CreatedBy,
  failure: Failure.nullable(),
  refundedCents: Cents,
  counts: z.record(z.enum(mailStatuses), z.int()).describe('How many copies have each status.'),
  cancellableUntil: Moment.nullable().describe(
    'Until when it can be cancelled and changed; null when it no longer can. A sandbox letter only until it is printed.',
  ),
  actions: z.array(openEnum(mailActions)).describe('What this credential may do with the letter now.'),
  queuedAt: Moment.nullable(),
  printedAt: Moment.nullable(),
  postedAt: Moment.nullable(),
  deliveredAt: Moment.nullable(),
  failedAt: Moment.nullable(),
};

/** A mail job with all details. */
export const MailDetail = z.object(detailFields).meta({ id: 'MailJob' });
export type MailDetail = z.infer<typeof MailDetail>;

/**
 * The fields of a summary, the first file and the names of recipients. Lists read only these: addresses and files may be a
 * hundred times as large.
 */
export const summaryProjection = {
  externalId: 1,
  status: 1,
  mode: 1,
  zone: 1,
  serviceType: 1,
  pages: 1,
  color: 1,
  doubleSided: 1,
  acknowledgmentReceipt: 1,
  files: { $slice: 1 },
  'items.name': 1,
  'amounts.currency': 1,
  'amounts.totalCents': 1,
  'amounts.recipientCount': 1,
  scheduledDropAt: 1,
  dropAt: 1,
  metadata: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;
export type SummaryRecord = Pick<
  MailJobRecord,
  '_id' | Extract<keyof typeof summaryProjection, keyof MailJobRecord>
> & {
  items: Pick<MailJobRecord['items'][number], 'name'>[];
  amounts: Pick<MailJobRecord['amounts'], 'currency' | 'totalCents' | 'recipientCount'>;
};

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
    doubleSided: job.doubleSided ?? true,
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

/** Who sees a mail job, and when. */
export type Viewer = { scopes: readonly Scope[]; actor?: AuditActor | undefined; at: Date };

export function toMailDetail(job: MailJobRecord, viewer: Viewer): MailDetail {
  const moment = (status: MailStatus) => job[`${status}At`]?.toISOString() ?? null;
  return {
    ...toMailSummary(job),
    recipients: job.items.map(({ shareCents: _, failure = null, copySha256 = null, tracking, returned, ...item }) => ({
      ...item,
      failure,
      copySha256,
      trackingNumber: tracking?.number ?? null,
      trackingScheme: tracking?.scheme ?? null,
      returned: returned ? toReturned(returned) : null,
    })),
    sender: job.sender,
    files: job.files,
    template: job.template ?? null,
    amounts: job.amounts,
    webhookUrl: job.webhookUrl,
    sandboxClockId: job.clock?.id ?? null,
    createdBy: toCreatedBy(job, viewer),
    failure: job.failure,
    refundedCents: job.refundedCents,
    counts: countItems(job),
    cancellableUntil: cancellableUntil(job, viewer.at)?.toISOString() ?? null,
    actions: actionsOf(job, viewer, viewer.at),
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
