import { z } from 'zod';
import { CreatedBy, type CreatedByViewer, toCreatedBy } from '../audit/created-by.ts';
import { addressFields, addressViewFields, lineOfText, possibleZip, zipRule } from '../fields/text.schema.ts';
import { type AddressRecord, addressKinds } from './address.model.ts';

/** The body of POST /v1/addresses. */
export const AddressRequest = z
  .strictObject({
    kind: z.enum(addressKinds),
    ...addressFields,
    label: lineOfText(100).nullish(),
    isDefault: z.boolean().nullish(),
  })
  .check(possibleZip)
  .meta({ id: 'AddressRequest', ...zipRule });
export type AddressRequest = z.infer<typeof AddressRequest>;

/**
 * The body of PATCH /v1/addresses/{id}, a merge patch (RFC 7396): absent fields stay, null clears `line2` and `label`.
 * The postal code is checked on the merged entry.
 */
export const AddressPatch = z
  .strictObject({
    kind: z.enum(addressKinds),
    ...addressFields,
    label: lineOfText(100).nullish(),
    isDefault: z.boolean(),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'Give at least one field to change.')
  .check(possibleZip)
  .meta({ id: 'AddressPatch', minProperties: 1, ...zipRule });
export type AddressPatch = z.infer<typeof AddressPatch>;

/** An address book entry in its public form. */
export const AddressView = z
  .object({
    id: z.string(),
    kind: z.enum(addressKinds),
    ...addressViewFields,
    label: z.string().nullable(),
    isDefault: z.boolean(),
    createdBy: CreatedBy,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Address' });
export type AddressView = z.infer<typeof AddressView>;

export function toAddressView(record: AddressRecord, viewer: CreatedByViewer): AddressView {
  const { _id: id, kind, name, line1, line2, zip, city, country, label, isDefault, createdAt, updatedAt } = record;
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return {
    id,
    kind,
    name,
    line1,
    line2,
    zip,
    city,
    country,
    label,
    isDefault,
    createdBy: toCreatedBy(record, viewer),
    ...times,
  };
}
