import { z } from 'zod';
import { isCountryCode } from '#common/countries.ts';
import { lineOfText, addressFields as requestedFields } from '#common/fields/text.schema.ts';
import { serviceTypes, zones } from '#common/services.ts';

/** A line of text. */
export function line(maxLength: number, description: string) {
  return described(lineOfText(maxLength), description);
}

/** Describes a field for a model. Its pattern is not published: models would pay for it in every list of tools. */
function described<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  return schema.meta({ ...schema.meta(), pattern: undefined, description });
}

/** The fields that determine a price. */
export const pricedFields = {
  zone: z.enum(zones).describe('NATIONAL: all recipients in Belgium. INTERNATIONAL: none of them.'),
  serviceType: z.enum(serviceTypes).describe('`registered` has a tracking number and a proof of posting.'),
  pages: z.int().min(1).max(2_000),
  color: z.boolean().optional().describe('false when absent: printed in black.'),
  doubleSided: z.boolean().optional().describe('true when absent: printed on both sides.'),
  acknowledgmentReceipt: z.boolean().optional().describe('Of a registered letter: the recipient signs a card.'),
};

const { name, line1, line2, zip, city } = requestedFields;

/** An address. The list of all countries is not published. */
export const addressFields = {
  name: described(name, 'Person or organization.'),
  line1: described(line1, 'Street and number.'),
  line2: described(line2.unwrap().unwrap(), 'Box, floor or department.').optional(),
  zip: described(zip, 'In Belgium four digits.'),
  city: described(city, 'Town.'),
  country: z
    .string()
    .trim()
    .refine(isCountryCode, 'Give an ISO 3166-1 alpha-2 code in upper case, such as BE.')
    .describe('ISO 3166-1 alpha-2 in upper case, such as BE.'),
};

const AddressOrReference = z.union([
  z.strictObject(addressFields),
  z.strictObject({ addressId: line(100, 'An entry of the address book, from list_addresses: adr_….') }),
]);

const LetterFile = z.strictObject({
  s3Key: line(1_024, 'From create_upload_link. The file must be uploaded already.'),
});

/** The files of a letter, in the order in which they are printed. */
export const files = z.array(LetterFile).min(1).max(20);

const variable = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);

/** A letter as `prepare_letter` and `send_letter` take it. The API checks what depends on several fields. */
export const letter = z
  .strictObject({
    ...pricedFields,
    pages: pricedFields.pages.optional().describe('Pages of all files together. Required with files.'),
    recipients: z.array(AddressOrReference).min(1).max(100).describe('Each gets a printed copy, and each is paid.'),
    sender: AddressOrReference.optional().describe('The return address; absent: the default of the account.'),
    files: files.optional().describe('Printed as one document, in this order. Or give a templateId.'),
    templateId: line(100, 'tpl_…: the letter is made from this template instead of files.').optional(),
    templateVersion: z.int().min(1).max(1_000_000).optional().describe('The latest when absent.'),
    mergeVariables: z
      .record(z.string().min(1).max(100), variable)
      .optional()
      .describe('Values for the variables of the template, by name.'),
    scheduledDropAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Post it at the first cutoff from then on, at most 180 days ahead; absent: as soon as possible.'),
    metadata: z.record(z.string().max(40), z.string().max(500)).optional().describe('Notes of your own, by key.'),
  })
  .describe('Give exactly the same letter to prepare_letter and to send_letter.');
export type Letter = z.infer<typeof letter>;

/** The arguments of every list. */
export const pageFields = {
  limit: z.int().min(1).max(50).default(20),
  cursor: line(1_024, 'The nextCursor of the previous page. Keep the other arguments.').optional(),
};

/** Returns the field of an id in the arguments of a tool. */
export function idField(prefix: string, what: string) {
  return line(100, `Id of ${what}: ${prefix}_….`);
}
