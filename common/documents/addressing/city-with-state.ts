import { formatAddress } from 'localized-address-format';

const [cityMark, stateMark] = ['CITY', 'STATE'];
const separatorOf = new Map<string, string | null>();

/**
 * Returns the city with the state, as the line of the country's format has them: `Springfield IL`, `Milano MI`. Only the
 * city for a country whose addresses have no state, and for a city that names it already.
 */
export function cityWithState(city: string, state: string, country: string): string {
  const separator = state === '' || city === '' ? null : findSeparator(country);
  const isNamed =
    separator === null ||
    city
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .join(' ')
      .endsWith(state.toLowerCase());
  return isNamed ? city : `${city}${separator}${state}`;
}

/** Returns whether addresses of a country have a state. */
export function printsState(country: string): boolean {
  return findSeparator(country) !== null;
}

/** Null for a country without states. A comma stands for a line of its own too. */
function findSeparator(country: string): string | null {
  const known = separatorOf.get(country);
  if (known !== undefined) return known;
  const place = { postalCountry: country, locality: cityMark, administrativeArea: stateMark, postalCode: '1' };
  const line = formatAddress({ ...place, name: 'N', addressLines: ['A'] }, 'latin').find((each) =>
    each.includes(stateMark),
  );
  // The package has a comma for the United States, which their post does not want.
  const isPlain = country === 'US' || line?.includes(`${cityMark} ${stateMark}`);
  const separator = line === undefined ? null : isPlain ? ' ' : ', ';
  separatorOf.set(country, separator);
  return separator;
}
