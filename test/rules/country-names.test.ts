// Level: unit

import { countryCodes } from '#common/countries.ts';
import { toCountryLine } from '#common/documents/addressing/address-lines.ts';
import { countryByName, countryByPrefix, printedCountryName, toCountryCode } from '#common/fields/country-names.ts';
import { languages } from '#common/languages.ts';
import { describe, expect, test } from '../support/jest.ts';

const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');
const namesOf = (code: string) =>
  languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }).of(code));

describe('the names of countries', () => {
  test('each name that is printed is read back, as are the names of Unicode in our languages', () => {
    for (const code of countryCodes) {
      const names = [printedCountryName(code), toCountryLine(code), ...namesOf(code).map((name) => name ?? '')];
      const written = names.flatMap((name) => [name, withoutAccents(name), name.toUpperCase(), ` ${name} `]);
      expect([code, new Set(written.map(countryByName))]).toEqual([code, new Set([code])]);
    }
  });

  test.each([
    ['Bosnia & Herzegovina', 'BA'],
    ['Bosnia and Herzegovina', 'BA'],
    ['Cote d’Ivoire', 'CI'],
    ["Côte d'Ivoire", 'CI'],
    ['U.S.A.', 'US'],
    ['The Netherlands', 'NL'],
    ['Holland', 'NL'],
    ['Turkey', 'TR'],
    ['Czech Republic', 'CZ'],
    ['Scotland', 'GB'],
    ['Pays de Galles', 'GB'],
    ['Noord-Ierland', 'GB'],
    ['Österreich', 'AT'],
    ['Osterreich', 'AT'],
    ['DEU', 'DE'],
    ['KOSOVO', 'XK'],
    ['Kosovo', 'XK'],
    ['XK', 'XK'],
    ...[['Italia', 'IT'] as const, ['España', 'ES'] as const, ['Polska', 'PL'] as const, ['Niemcy', 'DE'] as const],
    ['Congo', null],
    ['Deutschlan', null],
    ['Ada Peeters', null],
    ['D', null],
    ['be', null],
    ['', null],
  ])('%j is %j', (text, code) => {
    expect(countryByName(text)).toBe(code);
  });

  test.each([
    ['be', 'BE'],
    ['deu', 'DE'],
    ['D', 'DE'],
    ['uk', 'GB'],
    ['SLO', 'SI'],
    ['belgique', 'BE'],
    ['ZZ', null],
    ['X', null],
  ])('where only a country can be, %j is %j', (text, code) => {
    expect(toCountryCode(text)).toBe(code);
  });

  test.each([
    ['D', 'DE'],
    ['BE', 'BE'],
    ['slo', 'SI'],
    ['QQ', null],
  ])('before a postal code, %s is %j', (letters, code) => {
    expect(countryByPrefix(letters)).toBe(code);
  });
});
