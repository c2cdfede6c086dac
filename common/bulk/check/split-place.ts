import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { homeCountry, isBelgianZip } from '#common/countries.ts';
import { toCountryCode } from '#common/fields/country-names.ts';
import { isForeignCode } from '../file/postal-code-text.ts';
import { foldColumnName, kindOfColumn } from './column-words.ts';
import { cleanCell } from './read-cell.ts';

type Place = { zip: string; city: string };

const between = /[\s,;/–-]+/gu;
const cityName = /^['’]?\p{L}.*\p{L}/u;
/** Of a country, before the postal code: `D-10115`, `L-1234`. */
const countryLetters = /^(\p{L}{1,3})[ -]?(?=\d)/u;

/**
 * Returns the postal code and the city of a text with both, in either order, such as `1000 Bruxelles` or `London SW1A 1AA`.
 * Null unless there is exactly one way, by the postal codes of the country, and no other code is left in the city.
 */
export function splitPlace(text: string, country: string): Place | null {
  // The letters of a Dutch code are no city, but one.
  if (country === homeCountry && isForeignCode(text) && !text.endsWith(' AS')) return null;
  const whole = text.replace(countryLetters, (all, letters: string) => (toCountryCode(letters) === country ? '' : all));
  const found: Place[] = [];
  for (const { 0: gap, index } of whole.matchAll(between)) {
    const [before, after] = [whole.slice(0, index), whole.slice(index + gap.length)];
    if (isZip(before, country) && isCity(after, country)) found.push({ zip: before, city: after });
    if (isZip(after, country) && isCity(before, country)) found.push({ zip: after, city: before });
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

function isZip(text: string, country: string): boolean {
  if (country === homeCountry) return isBelgianZip(text);
  return postcodeValidatorExistsForCountry(country) && postcodeValidator(text, country);
}

function isCity(text: string, country: string): boolean {
  return cityName.test(text) && !text.split(between).some((word) => isZip(word, country));
}

/** Longer than any heading of two words. All its parts are looked up. */
const maxHeading = 40;
/** What stands between the words of a heading, in any language. */
const joiners = ['', 'and', 'et', 'en', 'und', 'e', 'y', 'i'];

/** Returns whether a heading names a postal code and a city, such as `CP Ville` or `City/ZIP`. */
function namesPlace(heading: string): boolean {
  const folded = foldColumnName(heading);
  if (folded.length > maxHeading) return false;
  const roles = (at: number, joiner: string) => {
    if (!folded.startsWith(joiner, at)) return '';
    return [folded.slice(0, at), folded.slice(at + joiner.length)].map((part) => kindOfColumn(part)?.role).join();
  };
  return Array.from(folded, (_, at) => at).some((at) =>
    joiners.some((joiner) => ['zip,city', 'city,zip'].includes(roles(at, joiner))),
  );
}

type Known = Record<'zip' | 'city' | 'country', number | undefined> & { defaultCountry: string | undefined };

/**
 * Finds the column that has postal code and city in one, for a list that lacks a column of either: by its heading; by the
 * cells of the column that is there, of which half can be split; or by those of one without a known heading, which all can.
 */
export function findPlaceColumn(
  header: readonly string[],
  { zip, city, country, defaultCountry = homeCountry }: Known,
  { sample, isFree }: { sample: readonly (readonly string[])[]; isFree: (column: number) => boolean },
): number | undefined {
  if (zip !== undefined && city !== undefined) return undefined;
  const named = header.findIndex((name, column) => isFree(column) && namesPlace(name));
  if (named >= 0) return named;
  const shareOf = (column: number) => {
    const filled = sample.filter((cells) => cleanCell(cells[column]) !== '');
    const isSplit = (cells: readonly string[]) => {
      const written = country === undefined ? '' : cleanCell(cells[country]);
      return splitPlace(cleanCell(cells[column]), toCountryCode(written) ?? defaultCountry) !== null;
    };
    return filled.length === 0 ? 0 : filled.filter(isSplit).length / filled.length;
  };
  const headed = zip ?? city;
  if (headed !== undefined) return shareOf(headed) >= 0.5 ? headed : undefined;
  const column = header.findIndex((_, index) => isFree(index) && shareOf(index) === 1);
  return column < 0 ? undefined : column;
}
