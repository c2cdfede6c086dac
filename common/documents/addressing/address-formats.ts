/**
 * Lines below the street, by country: %C is the city, %Z the postal code and %n a new line. For countries where the
 * package localized-address-format adds a prefix (CH-, L-, LT-) that posts abroad do not use or that codes have already,
 * repeats the country, leaves out the city or the postal code, or has another order than the post of the country.
 */
export const formatExceptions: Readonly<Record<string, string>> = {
  AE: '%C %Z',
  AX: '%Z %C',
  AZ: '%Z %C',
  CA: '%C  %Z',
  CH: '%Z %C',
  CI: '%Z %C',
  FI: '%Z %C',
  FO: '%Z %C',
  GG: '%C%n%Z',
  GI: '%C%n%Z',
  GN: '%Z %C',
  GT: '%Z %C',
  HR: '%Z %C',
  HT: '%Z %C',
  IR: '%C%n%Z',
  JE: '%C%n%Z',
  JP: '%C %Z',
  KZ: '%Z %C',
  KY: '%C %Z',
  LI: '%Z %C',
  LT: '%Z %C',
  LU: '%Z %C',
  LV: '%C, %Z',
  MC: '%Z %C',
  MD: '%Z %C',
  MO: '%C %Z',
  NL: '%Z  %C',
  PR: '%C PR %Z',
  SE: '%Z %C',
  SG: '%C %Z',
  SI: '%Z %C',
  SO: '%C %Z',
  US: '%C %Z',
};

/** For countries that the package does not know, or whose format lacks the postal code. */
export const defaultFormat = '%Z %C';

/** Countries whose postal codes begin with letters and a hyphen. Elsewhere such a prefix names the country: `D-10115`. */
export const codesWithPrefix: readonly string[] = ['AI', 'AZ', 'LT', 'LV', 'MD'];

/** How posts write a postal code that senders often write otherwise: a pattern without spaces, and its replacement. */
export const postalCodeShapes: Readonly<Record<string, readonly [RegExp, string]>> = {
  AZ: [/^(?:AZ-?)?(\d{4})$/, 'AZ $1'],
  BR: [/^(\d{5})-?(\d{3})$/, '$1-$2'],
  CA: [/^([A-Z]\d[A-Z])(\d[A-Z]\d)$/, '$1 $2'],
  CZ: [/^(\d{3})(\d{2})$/, '$1 $2'],
  GB: [/^([A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/, '$1 $2'],
  GR: [/^(\d{3})(\d{2})$/, '$1 $2'],
  HT: [/^(?:HT)?(\d{4})$/, 'HT$1'],
  IE: [/^([A-Z]\d[\dW])([A-Z\d]{4})$/, '$1 $2'],
  JP: [/^(\d{3})-?(\d{4})$/, '$1-$2'],
  LT: [/^(?:LT-)?(\d{5})$/, 'LT-$1'],
  LV: [/^(?:LV-)?(\d{4})$/, 'LV-$1'],
  MD: [/^(?:MD-?)?(\d{4})$/, 'MD-$1'],
  NL: [/^(\d{4})([A-Z]{2})$/, '$1 $2'],
  PL: [/^(\d{2})-?(\d{3})$/, '$1-$2'],
  PT: [/^(\d{4})-?(\d{3})$/, '$1-$2'],
  SE: [/^(\d{3})(\d{2})$/, '$1 $2'],
  SK: [/^(\d{3})(\d{2})$/, '$1 $2'],
};

/** Languages with capitals of their own: Turkish dotted I, Greek capitals without accents. */
export const capitalLocales: Readonly<Record<string, string>> = { AZ: 'az', CY: 'el', GR: 'el', TR: 'tr' };
