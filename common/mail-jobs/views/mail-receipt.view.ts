import { z } from 'zod';
import { addressViewFields } from '#common/fields/text.schema.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import type { MailRequest } from '../model/mail-request.schema.ts';
import { mailStatuses } from '../model/mail-status.ts';
import { detailFields, toMailDetail, type Viewer } from './mail-job.view.ts';

/** The response of POST /v1/mails: the job and how the request was handled. A dry run has no id. */
export const MailReceipt = z
  .object({
    ...detailFields,
    mailJobId: z.string().nullable().describe('null for a dry run.'),
    dryRun: z.boolean(),
    duplicate: z.boolean().describe('Whether the job was there already.'),
    payloadMatches: z.boolean().describe('false when the body of a repeat differs from that of the first request.'),
    balanceSufficient: z.boolean().describe('Whether the wallet covers it.'),
    warnings: z
      .array(z.object({ code: z.string(), path: z.array(z.union([z.string(), z.int()])), message: z.string() }))
      .describe('What was accepted and may not be what you meant. Of a recipient: an earlier letter to it came back.'),
  })
  .meta({ id: 'MailJobReceipt' });
export type MailReceipt = z.infer<typeof MailReceipt>;

const { name, line1, line2, zip, city, country } = addressViewFields;
const requestedAddressFields = {
  addressId: z.string().nullable().describe('The entry that the request named; its lines are null then.'),
  name: name.nullable(),
  line1: line1.nullable(),
  line2,
  zip: zip.nullable(),
  city: city.nullable(),
  country: country.nullable(),
};

const RequestedSender = z.object(requestedAddressFields).meta({ id: 'RequestedSender' });
type RequestedAddress = z.infer<typeof RequestedSender>;

const RequestedRecipient = z
  .object({
    ...requestedAddressFields,
    itemId: z.string().nullable().describe('null in a repeat: the copies of the job may be for other recipients.'),
    status: z.enum(mailStatuses).nullable().describe('null in a repeat.'),
  })
  .meta({ id: 'RequestedRecipient' });

/**
 * The only fields of a receipt for a credential that may not read the stored letter. Those that name people or places are
 * replaced by what this request gave. A new field of letters is withheld unless it is added here.
 */
const requestedFields = {
  mailJobId: true,
  externalId: true,
  status: true,
  mode: true,
  zone: true,
  serviceType: true,
  pages: true,
  color: true,
  doubleSided: true,
  acknowledgmentReceipt: true,
  recipientCount: true,
  currency: true,
  totalCents: true,
  scheduledDropAt: true,
  dropAt: true,
  metadata: true,
  createdAt: true,
  createdBy: true,
  updatedAt: true,
  recipients: true,
  sender: true,
  files: true,
  template: true,
  amounts: true,
  webhookUrl: true,
  sandboxClockId: true,
  failure: true,
  refundedCents: true,
  counts: true,
  cancellableUntil: true,
  actions: true,
  queuedAt: true,
  printedAt: true,
  postedAt: true,
  deliveredAt: true,
  failedAt: true,
  dryRun: true,
  duplicate: true,
  payloadMatches: true,
  balanceSufficient: true,
  warnings: true,
} as const satisfies Partial<Record<keyof MailReceipt, true>>;

/** A receipt for a credential that may not read the stored job: these fields repeat the request. */
export const RequestedMailReceipt = z
  .object({
    ...MailReceipt.pick(requestedFields).shape,
    recipients: z.array(RequestedRecipient),
    sender: RequestedSender.nullable().describe('null when the request named none and the stored one is not shown.'),
    files: z.array(
      z.object({
        s3Key: z.string(),
        filename: z.string().nullable(),
        mimeType: z.string().nullable(),
        sizeBytes: z.int().nullable(),
        etag: z.string().optional(),
      }),
    ),
  })
  .meta({
    id: 'RequestedMailJobReceipt',
    description: 'For a credential that may not read what is stored: recipients and sender as the request gave them.',
  });
export type RequestedMailReceipt = z.infer<typeof RequestedMailReceipt>;

/** The receipt of a repeat or a dry run, complete or restricted to the request. */
export const AnyMailReceipt = z.union([MailReceipt, RequestedMailReceipt]);
export type AnyMailReceipt = MailReceipt | RequestedMailReceipt;

type ReceiptFlags = Pick<MailReceipt, 'dryRun' | 'duplicate' | 'payloadMatches' | 'balanceSufficient'>;

export function toMailReceipt(
  job: MailJobRecord,
  { viewer, ...flags }: ReceiptFlags & { viewer: Viewer },
): MailReceipt {
  return {
    ...toMailDetail(job, viewer),
    ...(flags.dryRun && { mailJobId: null, actions: [] }),
    ...flags,
    warnings: job.warnings,
  };
}

/**
 * Returns the `requestedFields` of a repeat, with recipients, sender, files, metadata and webhookUrl of the request, and of
 * the creator the kind alone.
 */
export function toRequestedReceipt(receipt: MailReceipt, request: MailRequest): RequestedMailReceipt {
  return {
    ...shownOf(receipt),
    recipients: request.recipients.map((given) => ({ ...toRequestedAddress(given), itemId: null, status: null })),
    sender: request.sender ? toRequestedAddress(request.sender) : null,
    files: (request.files ?? []).map(({ s3Key, filename = null, mimeType = null, sizeBytes = null }) => {
      return { s3Key, filename, mimeType, sizeBytes };
    }),
    // A warning about a recipient is about the stored one.
    warnings: receipt.warnings.filter(({ path }) => path[0] !== 'recipients'),
    metadata: request.metadata ?? {},
    webhookUrl: request.webhookUrl ?? null,
    // The message may be the text of the credential that cancelled the letter.
    failure: receipt.failure && { ...receipt.failure, message: 'A credential with the scope `read` sees why.' },
    createdBy: receipt.createdBy && { ...receipt.createdBy, id: null },
  };
}

function shownOf(receipt: MailReceipt): Pick<MailReceipt, keyof typeof requestedFields> {
  const shown = Object.entries(receipt).filter(([name]) => name in requestedFields);
  return Object.fromEntries(shown) as ReturnType<typeof shownOf>;
}

/** Removes the fields of address book entries from a dry run. Returns `receipt` unchanged when it uses no entry. */
export function withoutEntries(
  receipt: MailReceipt,
  { body, isDefaultEntry }: { body: MailRequest; isDefaultEntry: boolean },
): AnyMailReceipt {
  const { recipients, sender } = body;
  const hasEntries = isDefaultEntry || [...recipients, sender].some((given) => given && 'addressId' in given);
  if (!hasEntries) return receipt;
  return {
    ...shownOf(receipt),
    recipients: receipt.recipients.map(({ itemId, status, ...address }, index) => {
      return { ...toRequestedAddress(recipients[index] ?? address), itemId, status };
    }),
    sender: isDefaultEntry ? null : toRequestedAddress(sender ?? receipt.sender),
  };
}

function toRequestedAddress(given: MailRequest['recipients'][number]): RequestedAddress {
  const nothing = { addressId: null, name: null, line1: null, line2: null, zip: null, city: null, country: null };
  if ('addressId' in given) return { ...nothing, addressId: given.addressId };
  return { addressId: null, ...given, line2: given.line2 ?? null };
}
