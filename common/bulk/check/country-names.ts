import { countryCodes, isCountryCode } from '#common/countries.ts';
import { languages } from '#common/languages.ts';
import { foldColumnName } from './guess-mapping.ts';

/** Codes and names that lists use besides those of Unicode. */
const others = {
  UK: 'GB',
  USA: 'US',
  Holland: 'NL',
  'The Netherlands': 'NL',
  Czechia: 'CZ',
  'Great Britain': 'GB',
  England: 'GB',
};

let codes: ReadonlyMap<string, string> | undefined;

/**
 * Returns the code of a country that is given by its code in any case, or by its name in en, fr, nl or de. Returns other
 * texts as they are, for the schema to refuse.
 */
export function toCountryCode(text: string): string {
  const upper = text.toUpperCase();
  if (isCountryCode(upper)) return upper;
  codes ??= collectNames();
  return codes.get(foldColumnName(text)) ?? text;
}

function collectNames(): Map<string, string> {
  const byName = new Map<string, string>();
  for (const language of languages) {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    for (const code of countryCodes) byName.set(foldColumnName(names.of(code) ?? code), code);
  }
  for (const [name, code] of Object.entries(others)) byName.set(foldColumnName(name), code);
  return byName;
}
