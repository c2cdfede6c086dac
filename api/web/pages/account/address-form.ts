import { html } from 'hono/html';
import { z } from 'zod';
import { type AddressRecord, addressKinds } from '../../../../common/addresses/address.model.ts';
import { countryCodes, homeCountry, isCountryCode } from '../../../../common/countries.ts';
import { isId } from '../../../../common/ids.ts';
import { type Language, languages } from '../../../../common/languages.ts';
import { checkZip } from '../../../../common/text.schema.ts';
import { choice, type FormError, optionalLine, requiredLine } from '../../form-fields.ts';
import { formatOf } from '../../format.ts';
import type { Markup } from '../../markup.ts';
import type { fieldSet } from '../../views/fields.ts';
import type { Visit } from '../../visit.ts';

/** What the pages about one address have in their paths. */
export const addressParams = z.object({ addressId: z.string().refine((text) => isId('adr', text)) });

const say = (word: FormError) => word;

/** What a form about an address brings, whether it is new or changed. */
export const addressForm = z.object({
  kind: choice(addressKinds),
  name: requiredLine(100),
  line1: requiredLine(100),
  line2: optionalLine(100),
  zip: requiredLine(16),
  city: requiredLine(80),
  country: z.string({ error: say('choose') }).refine(isCountryCode, say('choose')),
  label: optionalLine(100),
});

/** Says it beside the postal code, where one that is Belgian cannot exist. */
export function checkBelgianZip({ value, issues }: { value: z.infer<typeof addressForm>; issues: unknown[] }): void {
  if (checkZip(value) === null) return;
  issues.push({ code: 'custom', input: value.zip, path: ['zip'], message: say('belgianZip') });
}

type Present = Partial<Omit<AddressRecord, 'kind'>> & Pick<AddressRecord, 'kind'>;

/** The fields of an address, with what is known of it. */
export function addressFields(visit: Visit, fields: ReturnType<typeof fieldSet>, present: Present): Markup {
  const texts = visit.texts.addresses;
  const kinds = addressKinds.map((value) => ({ value, label: texts.kinds[value] }));
  const line = (name: 'name' | 'line1' | 'zip' | 'city', maxLength: number) =>
    fields.text({ name, label: texts[name], value: present[name] ?? '', maxLength });
  return html`${fields.radios({ name: 'kind', label: texts.kind, options: kinds, chosen: [present.kind] })}
${line('name', 100)}
${line('line1', 100)}
${fields.text({ name: 'line2', label: texts.line2, value: present.line2 ?? '', isOptional: true, maxLength: 100 })}
${line('zip', 16)}
${line('city', 80)}
${fields.select({ name: 'country', label: texts.country, options: countriesIn(visit.language), chosen: [present.country ?? homeCountry] })}
${fields.text({ name: 'label', label: texts.label, hint: texts.labelHint, value: present.label ?? '', isOptional: true, maxLength: 100 })}`;
}

/** Sorted once for each language: two hundred and fifty names. */
const countries = Object.fromEntries(
  languages.map((language) => {
    const { country } = formatOf(language);
    const named = countryCodes.map((value) => ({ value, label: country(value) }));
    const { compare } = new Intl.Collator(language);
    return [language, named.toSorted((left, right) => compare(left.label, right.label))];
  }),
) as Record<Language, { value: string; label: string }[]>;

function countriesIn(language: Language) {
  return countries[language];
}
