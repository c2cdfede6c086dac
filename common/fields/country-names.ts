import countries from 'i18n-iso-countries/index.js';
import german from 'i18n-iso-countries/langs/de.json' with { type: 'json' };
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import french from 'i18n-iso-countries/langs/fr.json' with { type: 'json' };
import dutch from 'i18n-iso-countries/langs/nl.json' with { type: 'json' };
import { countryCodes, isCountryCode } from '../countries.ts';
import { languages } from '../languages.ts';
import { foldForSearch } from './fold-text.ts';

for (const names of [english, french, dutch, german]) countries.registerLocale(names);

/** Names for the country line where ISO 3166 inverts the words or adds a remark. In English, as the UPU allows. */
const printedNames: Readonly<Record<string, string>> = {
  AX: 'Åland Islands, Finland',
  CD: 'Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  CN: 'China',
  FK: 'Falkland Islands',
  FM: 'Micronesia',
  GB: 'United Kingdom',
  GM: 'The Gambia',
  IR: 'Iran',
  KP: 'North Korea',
  KR: 'South Korea',
  LA: 'Laos',
  MD: 'Moldova',
  MF: 'Saint Martin',
  MK: 'North Macedonia',
  RU: 'Russia',
  SX: 'Sint Maarten',
  SY: 'Syria',
  TR: 'Türkiye',
  TW: 'Taiwan',
  TZ: 'Tanzania',
  US: 'United States of America',
  VA: 'Vatican City',
  VG: 'British Virgin Islands',
  VI: 'Virgin Islands, USA',
};

/** Names that people write beside those of Unicode and ISO 3166: the nations of the United Kingdom, and old names. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  CZ: ['Czech Republic'],
  DE: ['BRD'],
  GB: [
    ...['England', 'Scotland', 'Wales', 'Northern Ireland'],
    ...['Angleterre', 'Écosse', 'Pays de Galles', 'Irlande du Nord', 'Grande-Bretagne'],
    ...['Engeland', 'Schotland', 'Noord-Ierland', 'Groot-Brittannië'],
    ...['Schottland', 'Nordirland', 'Großbritannien'],
  ],
  NL: ['Holland', 'Hollande'],
  US: ['États-Unis d’Amérique', 'Verenigde Staten van Amerika', 'Vereinigte Staaten von Amerika'],
};

/** Letters of vehicles, as in `D-10115`. None is the code of another country. */
const vehicleCodes: Readonly<Record<string, string>> = {
  ...{ A: 'AT', B: 'BE', BIH: 'BA', D: 'DE', E: 'ES', EST: 'EE', F: 'FR', FIN: 'FI', FL: 'LI', H: 'HU', I: 'IT' },
  ...{ IRL: 'IE', L: 'LU', M: 'MT', MNE: 'ME', N: 'NO', NMK: 'MK', P: 'PT', RKS: 'XK', RSM: 'SM', RUS: 'RU' },
  ...{ S: 'SE', SLO: 'SI', SRB: 'RS', UK: 'GB', V: 'VA' },
};

/** Returns the country's English name, as its line of an address shows it in capitals. */
export function printedCountryName(code: string): string {
  return printedNames[code] ?? countries.getName(code, 'en') ?? code;
}

let codeByName: ReadonlyMap<string, string> | undefined;

/**
 * Returns the code of a country from a name in our languages and some others, with or without accents, or from its code of two or
 * three capitals; null for another text, and for `Congo`, which two countries are called.
 */
export function countryByName(text: string): string | null {
  const code = text.trim();
  if (isCountryCode(code)) return code;
  codeByName ??= collectNames();
  const alpha2 = /^[A-Z]{3}$/.test(code) ? countries.alpha3ToAlpha2(code) : undefined;
  return alpha2 ?? codeByName.get(fold(text)) ?? null;
}

/** As `countryByName`, for a text that can only be a country: codes in any case, and the letters of vehicles, count too. */
export function toCountryCode(text: string): string | null {
  const upper = text.trim().toUpperCase();
  return countryByName(upper) ?? vehicleCodes[upper] ?? null;
}

/** Returns the country of the letters before a postal code, as in `D-10115` or `BE-1000`; null for others. */
export function countryByPrefix(letters: string): string | null {
  const upper = letters.toUpperCase();
  return vehicleCodes[upper] ?? (isCountryCode(upper) ? upper : null);
}

/** Languages of lists that we do not speak. Their names are those of Unicode. */
const neighbours = ['it', 'es', 'pl', 'pt'];

/** Made when it is first needed: about two thousand names. A name of two countries is left out. */
function collectNames(): Map<string, string> {
  const found = new Map<string, string | null>();
  const add = (code: string, names: readonly string[]) => {
    for (const name of names.map(fold)) found.set(name, found.has(name) && found.get(name) !== code ? null : code);
  };
  for (const code of countryCodes) add(code, [printedCountryName(code), ...(otherNames[code] ?? [])]);
  for (const language of [...languages, ...neighbours]) {
    const shown = ['long', 'short'] as const;
    const ofUnicode = shown.map((style) => new Intl.DisplayNames(language, { type: 'region', style }));
    const ofIso = countries.getNames(language, { select: 'all' });
    for (const code of countryCodes)
      add(code, [...ofUnicode.map((each) => each.of(code) ?? code), ...(ofIso[code] ?? [])]);
  }
  return new Map([...found].filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Folds case, accents and punctuation: `The U.S.A.` is `usa`, and `Bosnia & Herzegovina` has an `and`. */
const fold = (name: string) =>
  foldForSearch(name)
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
