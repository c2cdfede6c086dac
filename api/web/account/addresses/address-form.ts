import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import type { fieldSet } from '#api/web/design/fields.ts';
import type { Markup } from '#api/web/design/markup.ts';
import {
  choice,
  type FormError,
  optionalLine,
  optionalPrintedLine,
  requiredPrintedLine,
} from '#api/web/framework/forms/form-fields.ts';
import { formatOf } from '#api/web/texts/format.ts';
import { type AddressRecord, addressKinds } from '#common/addresses/address.model.ts';
import { countryCodes, homeCountry, isCountryCode, plainZip } from '#common/countries.ts';
import { checkZip } from '#common/fields/text.schema.ts';
import { type Language, languages } from '#common/languages.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { Visit } from './texts.ts';

/** Path parameters of the pages about one address. */
export const addressParams = z.object({ addressId: idOf('adr') });

const errorKey = (key: FormError) => key;

/** The fields of a postal address in any form. */
export const postalForm = z.object({
  name: requiredPrintedLine(100),
  line1: requiredPrintedLine(100),
  line2: optionalPrintedLine(100),
  zip: requiredPrintedLine(16).overwrite(plainZip),
  city: requiredPrintedLine(80),
  country: z.string({ error: errorKey('choose') }).refine(isCountryCode, errorKey('choose')),
});

/** The form for creating or changing an address. */
export const addressForm = postalForm.extend({ kind: choice(addressKinds), label: optionalLine(100) });

/** Adds an issue to `zip` if a Belgian postal code is invalid. */
export function checkBelgianZip({ value, issues }: { value: z.infer<typeof postalForm>; issues: unknown[] }): void {
  if (checkZip(value) === null) return;
  issues.push({ code: 'custom', input: value.zip, path: ['zip'], message: errorKey('belgianZip') });
}

type CurrentAddress = Partial<Omit<AddressRecord, 'kind'>> & Pick<AddressRecord, 'kind'>;

/** Renders the fields of an address book entry, filled in with its current values. */
export function addressFields(visit: Visit, fields: ReturnType<typeof fieldSet>, current: CurrentAddress): Markup {
  const texts = visit.texts.addresses;
  const kinds = addressKinds.map((value) => ({ value, label: texts.kinds[value] }));
  return html`${fields.radios({ name: 'kind', label: texts.kind, options: kinds, chosen: [current.kind] })}
${postalFields(visit, fields, current)}
${fields.text({ name: 'label', label: texts.label, hint: texts.labelHint, value: current.label ?? '', isOptional: true, maxLength: 100 })}`;
}

type CurrentPostal = { [Field in keyof PostalAddress]?: PostalAddress[Field] | null };

/** Renders the fields of a postal address. Without a country, `unknownCountry` is the label of a blank choice. */
export function postalFields(
  visit: Visit,
  fields: ReturnType<typeof fieldSet>,
  current: CurrentPostal,
  unknownCountry: string | null = null,
): Markup {
  const texts = visit.texts.addresses;
  const line = (name: 'name' | 'line1' | 'zip' | 'city', maxLength: number) =>
    fields.text({ name, label: texts[name], value: current[name] ?? '', maxLength });
  const blank = unknownCountry === null ? [] : [{ value: '', label: unknownCountry }];
  const chosen = current.country ?? (unknownCountry === null ? homeCountry : '');
  return html`${line('name', 100)}
${line('line1', 100)}
${fields.text({ name: 'line2', label: texts.line2, value: current.line2 ?? '', isOptional: true, maxLength: 100 })}
${line('zip', 16)}
${line('city', 80)}
${fields.select({ name: 'country', label: texts.country, options: [...blank, ...countryOptions[visit.language]], chosen: [chosen] })}`;
}

/** About 250 names, sorted once per language. */
export const countryOptions = Object.fromEntries(
  languages.map((language) => {
    const { country } = formatOf(language);
    const named = countryCodes.map((value) => ({ value, label: country(value) }));
    const { compare } = new Intl.Collator(language);
    return [language, named.toSorted((left, right) => compare(left.label, right.label))];
  }),
) as Record<Language, { value: string; label: string }[]>;
