import { formatAddress } from 'localized-address-format';
import { homeCountry } from '#common/countries.ts';
import { printedCountryName } from '#common/fields/country-names.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import {
  capitalLocales,
  codesWithPrefix,
  defaultFormat,
  formatExceptions,
  postalCodeShapes,
} from './address-formats.ts';

/** The most lines that an address has. */
export const maxAddressLines = 6;

/** Characters that are not shown: format characters, variation selectors. */
const invisible = /\p{Cf}|\p{Variation_Selector}/gu;
const control = /\p{Cc}/gu;

/**
 * Returns the lines of an address as the post of its country wants them, one to six: name, street, city and postal code in
 * the country's order, and the country in English for letters to abroad. City, postal code and country are in capitals, as
 * the Universal Postal Union asks for. The text is normalized (NFC) and may contain characters that cannot be printed.
 */
export function toAddressLines(address: PostalAddress): string[] {
  const { country } = address;
  const { name, line1, line2 } = address;
  const written: WrittenAddress = {
    addressee: [name, line1, line2 ?? ''].map(clean).filter((line) => line !== ''),
    city: toCapitals(clean(address.city), country),
    zip: toPostalCode(address.zip, country),
  };
  const lines = orderLines(written, country);
  if (country !== homeCountry) lines.push(toCountryLine(country));
  return lines;
}

/** Returns the text on one line with composed characters (NFC), without characters that are never shown. */
export function clean(text: string): string {
  return text.normalize('NFC').replaceAll(control, ' ').replaceAll(invisible, '').replaceAll(/\s+/g, ' ').trim();
}

/** Returns the country's English name in capitals. */
export function toCountryLine(country: string): string {
  return printedCountryName(country).toUpperCase();
}

function toCapitals(text: string, country: string): string {
  return text.toLocaleUpperCase(capitalLocales[country] ?? 'en');
}

/** Returns the postal code as the country's post writes it; empty for a placeholder such as `-` or `0000`. */
export function toPostalCode(zip: string, country: string): string {
  const code = clean(zip).toUpperCase();
  if (!/[\p{L}1-9]/u.test(code)) return '';
  const plain = codesWithPrefix.includes(country) ? code : code.replace(/^[A-Z]{1,3} ?- ?(?=\d)/, '');
  const [pattern, shape] = postalCodeShapes[country] ?? [];
  const compact = plain.replaceAll(' ', '');
  return pattern && shape && pattern.test(compact) ? compact.replace(pattern, shape) : plain;
}

/** Name and street, and what stands below them in most countries. */
type WrittenAddress = { addressee: string[]; city: string; zip: string };

function orderLines({ addressee, city, zip }: WrittenAddress, country: string): string[] {
  const exception = formatExceptions[country];
  if (exception) return [...addressee, ...fill(exception, city, zip)];
  const [name = '', ...addressLines] = addressee;
  const lines = formatAddress({ postalCountry: country, name, addressLines, locality: city, postalCode: zip }, 'latin');
  const isWhole = lines.some((line) => line.includes(city)) && lines.some((line) => line.includes(zip));
  return isWhole ? lines : [...addressee, ...fill(defaultFormat, city, zip)];
}

/** A separator is left out when there is nothing on one of its sides. */
function fill(format: string, city: string, zip: string): string[] {
  return format
    .split('%n')
    .map((line) => {
      const words = line.replace('%C', city).replace('%Z', zip);
      return city === '' || zip === '' ? words.trim().replace(/^,|,$/g, '').trim() : words;
    })
    .filter((line) => line !== '');
}
