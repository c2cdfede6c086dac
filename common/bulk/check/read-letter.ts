import { homeCountry, plainZip } from '#common/countries.ts';
import { cityWithState } from '#common/documents/addressing/city-with-state.ts';
import { toCountryCode } from '#common/fields/country-names.ts';
import { withoutHarmless, withoutZeroWidth } from '#common/fields/text.schema.ts';
import type { Zone } from '#common/services.ts';
import { withRecipient } from '#common/templates/recipient-values.ts';
import type { TemplateVersion } from '#common/templates/template.model.ts';
import type { MergeVariables } from '#common/templates/text/fill-template.ts';
import { type BulkField, type BulkMapping, hasJoinedPlace } from '../model/bulk-fields.ts';
import { withBox, withCompany } from './join-fields.ts';
import { readCell } from './read-cell.ts';
import { splitPlace } from './split-place.ts';

/** The fields of a row, joined from their columns and trimmed. Empty when the row has none. */
export type LetterFields = Record<BulkField, string> & {
  /** The name without the company, and the city without the state. */
  person: string;
  town: string;
  /** Whether it is for Belgium only because nothing says another country. */
  isAssumedBelgian: boolean;
};

/**
 * Returns the fields of a row as they are printed: the name behind the company, the box behind the street, the state behind
 * the city. A row without a country is for the default one: Belgium, unless the owner chose another or the bulk goes abroad.
 */
export function readLetter(
  cells: readonly string[],
  { fields, separators, defaultCountry }: BulkMapping,
  zone: Zone | null,
): LetterFields {
  const read = (field: BulkField) =>
    (fields[field] ?? [])
      .map((column) => readCell(cells[column], { field }).text)
      .filter((text) => text !== '')
      .join(separators?.[field] ?? ' ');
  const readPrinted = (field: BulkField) => withoutZeroWidth(read(field)).trim();
  const written = readPrinted('country');
  const domestic = defaultCountry ?? (zone === 'INTERNATIONAL' ? '' : homeCountry);
  const country = written === '' ? domestic : (toCountryCode(written) ?? written);
  const [company, box, state] = [readPrinted('company'), readPrinted('box'), readPrinted('state')];
  const person = readPrinted('name') || company;
  const city = readPrinted('city');
  // What cannot be split stays whole in both, and is a fault.
  const joined = hasJoinedPlace({ fields }) ? (splitPlace(city, country) ?? { zip: city, city }) : null;
  const place = { ...(joined ?? { zip: plainZip(readPrinted('zip')), city }), country };
  return {
    ...{ company, box, state, person, town: place.city },
    isAssumedBelgian: written === '' && defaultCountry === undefined && zone === null,
    name: withCompany(readPrinted('name'), company),
    line1: withBox(readPrinted('line1'), box, place),
    line2: readPrinted('line2'),
    ...{ ...place, city: cityWithState(place.city, state, country) },
    ...{ reference: read('reference'), file: read('file') },
  };
}

/** Returns the recipient of a row, as in a request to send. */
export function recipientOf({ name, line1, line2, zip, city, country }: LetterFields) {
  // Soft hyphens are kept until here, because one after an Ã shows that a cell is garbled.
  return {
    name: withoutHarmless(name),
    line1: withoutHarmless(line1),
    line2: withoutHarmless(line2) || null,
    zip: withoutHarmless(zip),
    city: withoutHarmless(city),
    country,
  };
}

/**
 * Returns the values of a template's variables: of their columns, and otherwise of the recipient. Numbers of columns have
 * the decimal sign of the template's language.
 */
export function readVariables(
  cells: readonly string[],
  mapping: BulkMapping,
  { version, zone }: { version: Pick<TemplateVersion, 'text' | 'language'>; zone: Zone | null },
): MergeVariables {
  const { language } = version;
  const { variables } = mapping;
  const ofColumns = variables.map(({ name, column }) => [name, readCell(cells[column], { language }).text] as const);
  const letter = readLetter(cells, mapping, zone);
  const { person: name, company, town: city } = letter;
  return withRecipient(version, Object.fromEntries(ofColumns), { ...recipientOf(letter), name, company, city });
}

export function zoneOf({ country }: Pick<LetterFields, 'country'>): Zone {
  return country === homeCountry ? 'NATIONAL' : 'INTERNATIONAL';
}
