// Its main module also loads the names of all countries in 80 languages.
import countries from 'i18n-iso-countries/index.js';

/** The package includes XK for Kosovo, which is widely used but not in ISO 3166-1. */
const notInStandard = ['XK'];

/** All codes in alphabetical order. */
export const countryCodes: readonly string[] = Object.keys(countries.getAlpha2Codes())
  .filter((code) => !notInStandard.includes(code))
  .sort();
const codes: ReadonlySet<string> = new Set(countryCodes);

/** Returns whether `code` is an ISO 3166-1 alpha-2 code in upper case. */
export function isCountryCode(code: string): boolean {
  return codes.has(code);
}

/** Letters to this country are national mail. */
export const homeCountry = 'BE';

/** Returns whether `zip` is a Belgian postal code: four digits, 1000 to 9999. */
export function isBelgianZip(zip: string): boolean {
  return /^[1-9][0-9]{3}$/.test(zip);
}
