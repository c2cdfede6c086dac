// Level: unit
import { homeCountry, isBelgianZip, isCountryCode } from '#common/countries.ts';
import { describe, expect, test } from '../support/jest.ts';

describe('country codes', () => {
  const countries = ['BE', 'NL', 'FR', 'DE', 'LU', 'GB', 'US', 'CH', 'GR', 'TW', 'SS', 'AX', 'ZW', 'AF'];
  test.each(countries)('%s is a country', (code) => {
    expect(isCountryCode(code)).toBe(true);
  });

  // UK and EL only look like codes, AN and YU were withdrawn, and EU and the X and Q codes are not countries.
  const others = [
    '',
    'be',
    'Be',
    'BEL',
    'B',
    ' BE',
    'BE ',
    'UK',
    'EL',
    'EU',
    'AN',
    'YU',
    'XX',
    'QQ',
    'ZZ',
    '056',
    'ΒΕ',
  ];
  test.each(others)('%j is not a country', (code) => {
    expect(isCountryCode(code)).toBe(false);
  });

  const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
  test.each(inherited)('%s, a property of every object, is not a country', (name) => {
    expect(isCountryCode(name)).toBe(false);
  });

  test('the home country is Belgium', () => {
    expect([homeCountry, isCountryCode(homeCountry)]).toEqual(['BE', true]);
  });
});

describe('Belgian postal codes', () => {
  test.each(['1000', '1050', '4000', '9999'])('%s is a possible postal code', (zip) => {
    expect(isBelgianZip(zip)).toBe(true);
  });

  test.each([
    '',
    '0999',
    '0000',
    '999',
    '10000',
    'B-1000',
    '1000 ',
    ' 1000',
    '1000\n',
    '10a0',
    '１０００',
    '1e3',
    '-100',
  ])('%j is not a postal code', (zip) => {
    expect(isBelgianZip(zip)).toBe(false);
  });
});
