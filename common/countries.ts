// Its main module also loads the names of all countries in 80 languages.
import countries from 'i18n-iso-countries/index.js';

/** All codes in alphabetical order: those of ISO 3166-1 alpha-2, and XK for Kosovo, which posts use. */
export const countryCodes: readonly string[] = Object.keys(countries.getAlpha2Codes()).sort();
const codes: ReadonlySet<string> = new Set(countryCodes);

/** Returns whether `code` is an ISO 3166-1 alpha-2 code in upper case, or XK. */
export function isCountryCode(code: string): boolean {
  return codes.has(code);
}

/** Letters to this country are national mail. */
export const homeCountry = 'BE';

/** Drops the letters that many write before a Belgian postal code: `B-1000`, `BE 1000`. Returns others as they are. */
export function plainZip(zip: string): string {
  return zip.replace(/^BE?[ -]*(?=\d{4}$)/i, '');
}

/** Returns whether `zip` is a Belgian postal code: four digits, 1000 to 9999. */
export function isBelgianZip(zip: string): boolean {
  return /^[1-9][0-9]{3}$/.test(zip);
}
