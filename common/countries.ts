import countries from 'i18n-iso-countries';

/** The package also knows XK for Kosovo, which is in wide use and not in ISO 3166-1. */
const notInStandard = ['XK'];

/** All codes, in the order of the alphabet. */
export const countryCodes: readonly string[] = Object.keys(countries.getAlpha2Codes())
  .filter((code) => !notInStandard.includes(code))
  .sort();
const codes: ReadonlySet<string> = new Set(countryCodes);

/** Whether `code` is an ISO 3166-1 alpha-2 code, in upper case. */
export function isCountryCode(code: string): boolean {
  return codes.has(code);
}

/** The country whose post carries national letters. */
export const homeCountry = 'BE';

/** Belgian postal codes: four digits, 1000 to 9999. */
export function isBelgianZip(zip: string): boolean {
  return /^[1-9][0-9]{3}$/.test(zip);
}
