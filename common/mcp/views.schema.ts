import { z } from 'zod';
import { addressViewFields } from '#common/fields/text.schema.ts';

/** What tools return. Objects are open, because the API may add fields, and enums are text for the same reason. */

const Cents = z.int().describe('Euro cents.');
const Moment = z.string();

/** The price of a letter, in quotes and dry runs. */
export const amountFields = {
  currency: z.string(),
  totalCents: Cents.describe('Euro cents, VAT included: what the wallet is debited for all recipients.'),
  netCents: Cents,
  vatCents: Cents,
  recipientCount: z.int(),
};

/** An address as it is printed. */
export const AddressLines = z.looseObject(addressViewFields);

export const AddressView = z.looseObject({
  id: z.string(),
  kind: z.string(),
  ...addressViewFields,
  isDefault: z.boolean(),
});

const summaryFields = {
  mailJobId: z.string(),
  externalId: z.string().nullable(),
  status: z.string().describe('queued, printed, posted, delivered or failed.'),
  zone: z.string(),
  serviceType: z.string(),
  pages: z.int(),
  recipientCount: z.int(),
  totalCents: Cents,
  dropAt: Moment.describe('When it is planned to be handed to the post.'),
  createdAt: Moment,
};

export const LetterSummary = z.looseObject(summaryFields);

const Recipient = z.looseObject({
  itemId: z.string().nullable(),
  name: z.string().nullable(),
  city: z.string().nullable(),
  status: z.string().nullable(),
});

export const letterFields = {
  ...summaryFields,
  recipients: z.array(Recipient).describe('One copy each, with its own status.'),
  failure: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  refundedCents: Cents,
  cancellableUntil: Moment.nullable().describe('null when it can no longer be cancelled.'),
};

export const EventView = z.looseObject({
  id: z.string(),
  event: z.string(),
  mailJobId: z.string(),
  itemId: z.string().nullable(),
  createdAt: Moment,
});

export const FindingView = z.looseObject({
  code: z.string(),
  severity: z.string().describe('error: cannot be printed. warning: may look wrong on paper. info: fine.'),
  page: z.int().nullable(),
  message: z.string(),
  fix: z.string(),
});

export const WarningView = z.looseObject({ code: z.string(), message: z.string() });

/** The field of every list that names the next page. */
export const nextCursor = z.string().nullable().describe('For the next page; null on the last one.');

/** A page as every list of the API returns it. */
export const Page = z.looseObject({ data: z.array(z.looseObject({})), nextCursor: z.string().nullable() });
