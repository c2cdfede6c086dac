import { homeCountry, isBelgianZip, isCountryCode } from '#common/countries.ts';
import { findCharacterFault, withoutHarmless } from '#common/fields/text.schema.ts';
import { RequestAddress } from '#common/mail-jobs/model/mail-request.schema.ts';
import { maxMetadata } from '#common/mail-jobs/model/metadata.schema.ts';
import type { Mode } from '#common/modes.ts';
import { checkOutcome } from '#common/sandbox/steps/sandbox-outcomes.ts';
import type { Zone } from '#common/services.ts';
import { repairTwiceEncoded } from '../file/encoding/twice-encoded.ts';
import { tableLimits } from '../file/table-limits.ts';
import { type BulkField, type BulkMapping, columnOfField, hasJoinedPlace } from '../model/bulk-fields.ts';
import type { RowFault } from '../model/bulk-row.model.ts';
import type { RowFaultCode } from '../model/row-faults.ts';
import { findLostDigits, isPostalCodeOf } from './check-postal-code.ts';
import { type LetterFields, recipientOf } from './read-letter.ts';

/** A function or a cell of a spreadsheet. Names may begin with such a sign: the files of results keep it from being run. */
const formula = /^[=@+\-＝＠＋－]\s*[A-Z][A-Z0-9.]*\(|^[=＝]\$?[A-Z]{0,3}\$?\d/u;
/**
 * UTF-8 that was read in another encoding, also where a byte of it is lost: no word has these pairs. A letter that became
 * a question mark, the lines of tables, or its code in a program or an address of the web.
 */
const garbled = /[ÃÂ][\u0080-\u00bf]|â€|\p{L}\?\p{L}|[\u2500-\u259f]|\\u00[0-9a-f]{2}|%C3%[89AB][0-9A-F]/iu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/u;

/** The limits of the address fields, from their schema. */
const lengths = {
  name: 100,
  line1: 100,
  line2: 100,
  zip: 16,
  city: 80,
  country: 100,
  reference: maxMetadata.valueLength,
} as const;
type CheckedField = keyof typeof lengths;
/** Fields that every letter needs. */
export const required: readonly CheckedField[] = ['name', 'line1', 'zip', 'city', 'country'];

/** What the fields of a row must fit. `zone` null: any country. */
type Fitting = { zone: Zone | null; mode: Mode };

/** Returns the faults of a row's fields: at most one per field, the one to fix first. */
export function findCellFaults(letter: LetterFields, mapping: BulkMapping, { zone, mode }: Fitting): RowFault[] {
  const faults: RowFault[] = [];
  const report = (field: BulkField, code: RowFaultCode, detail: string | null = null) =>
    faults.push({ column: columnOfField(mapping, field), code, detail });

  const isUnsplit = hasJoinedPlace(mapping) && letter.zip !== '' && letter.zip === letter.city;
  // Without a country that is known, its fault comes first.
  if (isUnsplit && isCountryCode(letter.country)) report('zip', 'place_not_split');
  for (const field of Object.keys(lengths) as CheckedField[]) {
    if (isUnsplit && (field === 'zip' || field === 'city')) continue;
    const text = letter[field];
    const unprintable = field === 'reference' ? null : findCharacterFault(text);
    if (withoutHarmless(text) === '') {
      if (required.includes(field)) report(field, 'missing');
    } else if ([...text].length > lengths[field]) report(field, 'too_long', String(lengths[field]));
    else if (garbled.test(text) || repairTwiceEncoded(text) !== text) report(field, 'garbled');
    else if (controlCharacter.test(text)) report(field, 'control_characters');
    else if (formula.test(text)) report(field, 'formula');
    else if (unprintable !== null) report(field, unprintable.code, unprintable.place);
    else if (field === 'country') reportCountry(letter, zone, report);
    else if (field === 'zip') reportZip(letter, report);
    else if (field === 'line1') reportOutcome(letter, mode, report);
  }
  if (faults.length === 0 && !RequestAddress.safeParse(recipientOf(letter)).success) {
    // The schema is what every other letter is checked by. The tests above only say more.
    report('name', 'control_characters');
  }
  return faults;
}

type Report = (field: BulkField, code: RowFaultCode, detail?: string | null) => void;

function reportCountry({ country }: LetterFields, zone: Zone | null, report: Report): void {
  if (!isCountryCode(country)) report('country', 'unknown_country');
  else if (zone === 'NATIONAL' && country !== homeCountry) report('country', 'not_national');
  else if (zone === 'INTERNATIONAL' && country === homeCountry) report('country', 'not_international');
}

function reportZip({ zip, country }: LetterFields, report: Report): void {
  const digits = country === homeCountry ? null : findLostDigits(zip, country);
  if (country === homeCountry && !isBelgianZip(zip)) report('zip', 'belgian_zip');
  else if (digits !== null) report('zip', 'lost_zero', String(digits));
}

/** Returns the warning of a postal code that its country does not have. The patterns are not the law of any post. */
export function findUnusualCode({ zip, country }: LetterFields, mapping: BulkMapping): RowFault[] {
  if (zip === '' || isPostalCodeOf(zip, country)) return [];
  return [{ column: columnOfField(mapping, 'zip'), code: 'unusual_zip', detail: country }];
}

function reportOutcome(letter: LetterFields, mode: Mode, report: Report): void {
  const problem = checkOutcome(letter, mode);
  if (problem !== null) report('line1', 'sandbox_outcome', problem);
}

/**
 * Returns the faults of cells that hold the rows after them, because a quote at their beginning is closed much later:
 * with a line break, and as many separators as the row has. Whether or not a letter uses their column.
 */
export function findSwallowedRows(cells: readonly string[], separator: string): RowFault[] {
  return cells.flatMap((cell, column): RowFault[] =>
    /[\r\n]/.test(cell) && cell.split(separator).length >= cells.length
      ? [{ column, code: 'control_characters', detail: null }]
      : [],
  );
}

/** Returns the faults of cells that are longer than any cell may be, whether or not a letter uses their column. */
export function findOversizedCells(cells: readonly string[]): RowFault[] {
  return cells.flatMap((cell, column): RowFault[] =>
    cell.length > tableLimits.cellLength ? [{ column, code: 'too_long', detail: String(tableLimits.cellLength) }] : [],
  );
}
