import { formatAddress } from 'localized-address-format';

const [cityMark, stateMark] = ['CITY', 'STATE'];
type Format = { separator: string; zipIsFirst: boolean };
const formatOf = new Map<string, Format | null>();

/**
 * Returns the city with the state, as the line of the country's format has them: `Springfield IL`, `Milano MI`. Only the
 * city for a country whose addresses have no state, and for a city that ends with it already. `Illinois (US)`, as Odoo
 * exports it, is `Illinois`.
 */
export function cityWithState(city: string, exported: string, country: string): string {
  const state = exported.replace(/ \([A-Z]{2}\)$/, '');
  const format = state === '' || city === '' ? null : findFormat(country);
  if (format === null) return city;
  const [ofCity, ofState] = [wordsOf(city), wordsOf(state)];
  // New York is in New York, while the postal code before Madrid says its province.
  const isNamed = ofCity === ofState ? format.zipIsFirst : ofCity.endsWith(` ${ofState}`);
  return isNamed ? city : `${city}${format.separator}${state}`;
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');

/** Returns whether addresses of a country have a state. */
export function printsState(country: string): boolean {
  return findFormat(country) !== null;
}

/** Null for a country without states. A comma stands for a line of its own too. */
function findFormat(country: string): Format | null {
  const known = formatOf.get(country);
  if (known !== undefined) return known;
  const place = { postalCountry: country, locality: cityMark, administrativeArea: stateMark, postalCode: '1' };
  const line = formatAddress({ ...place, name: 'N', addressLines: ['A'] }, 'latin').find((each) =>
    each.includes(stateMark),
  );
  // The package has a comma for the United States, which their post does not want.
  const isPlain = country === 'US' || line?.includes(`${cityMark} ${stateMark}`);
  const format = line === undefined ? null : { separator: isPlain ? ' ' : ', ', zipIsFirst: line.startsWith('1') };
  formatOf.set(country, format);
  return format;
}
