import { z } from 'zod';
import { openEnum } from '../fields/open-enum.schema.ts';
import { currency } from '../money.ts';
import { lineCodes } from './tariff.schema.ts';

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

/** The price of a mail job, stored with it and never recomputed. */
export const Amounts = z.object(amountFields).meta({ id: 'Amounts' });
export type Amounts = z.infer<typeof Amounts>;
