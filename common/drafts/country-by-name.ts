import { foldText } from '../addresses/fold-text.ts';
import { countryCodes } from '../countries.ts';
import { languages } from '../languages.ts';

/** Names that people write on envelopes beside those of the Unicode data. */
const otherNames: Readonly<Record<string, string>> = {
  uk: 'GB',
  'u.k.': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'great britain': 'GB',
  'grande-bretagne': 'GB',
  angleterre: 'GB',
  engeland: 'GB',
  grossbritannien: 'GB',
  usa: 'US',
  'u.s.a.': 'US',
  'etats-unis d’amerique': 'US',
  'united states of america': 'US',
  holland: 'NL',
  hollande: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  brd: 'DE',
  osterreich: 'AT',
  schweiz: 'CH',
  turkey: 'TR',
};

/** Letters of vehicles, which people write before a postal code: `D-10115`. */
const vehicleCodes: Readonly<Record<string, string>> = {
  A: 'AT',
  B: 'BE',
  D: 'DE',
  E: 'ES',
  F: 'FR',
  FIN: 'FI',
  I: 'IT',
  L: 'LU',
  N: 'NO',
  P: 'PT',
  S: 'SE',
};

let codeByName: ReadonlyMap<string, string> | undefined;

/** Made when it is first needed: about a thousand names. */
function nameTable(): ReadonlyMap<string, string> {
  const names = languages.flatMap((language) => {
    const display = new Intl.DisplayNames(language, { type: 'region' });
    return countryCodes.map((code) => [normalize(display.of(code) ?? code), code] as const);
  });
  const others = Object.entries(otherNames).map(([name, code]) => [normalize(name), code] as const);
  return new Map([...names, ...others]);
}

const normalize = (name: string) => foldText(name).replaceAll(/[’']/g, '').replaceAll(/\s+/g, ' ').trim();

/** Returns the code of a country from its name in any of our languages, or from its ISO code; null for another text. */
export function countryByName(text: string): string | null {
  codeByName ??= nameTable();
  const upper = text.trim();
  if (/^[A-Z]{2}$/.test(upper) && countryCodes.includes(upper)) return upper;
  return codeByName.get(normalize(text)) ?? null;
}

/** Returns the country of the letters before a postal code, as in `D-10115` or `BE-1000`; null for others. */
export function countryByPrefix(letters: string): string | null {
  const upper = letters.toUpperCase();
  return vehicleCodes[upper] ?? (countryCodes.includes(upper) ? upper : null);
}
