import { describe, expect, test } from '@jest/globals';
import { homeCountry, isBelgianZip, isCountryCode } from '../../common/countries.ts';

describe('country codes', () => {
  test.each(['BE', 'NL', 'FR', 'DE', 'LU', 'GB', 'US', 'CH', 'GR', 'TW', 'SS', 'AX', 'ZW', 'AF'])(
    'given %s, when it is judged, then it is a country',
    (code) => {
      expect(isCountryCode(code)).toBe(true);
    },
  );

  // Not UK and EL, which only look like codes; AN and YU are gone; EU and the X and Q rows are no countries.
  test.each(['', 'be', 'Be', 'BEL', 'B', ' BE', 'BE ', 'UK', 'EL', 'EU', 'AN', 'YU', 'XX', 'QQ', 'ZZ', '056', 'ΒΕ'])(
    'given %j, when it is judged, then it is none',
    (code) => {
      expect(isCountryCode(code)).toBe(false);
    },
  );

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'given %s, a name that every object has, when it is judged, then it is none',
    (name) => {
      expect(isCountryCode(name)).toBe(false);
    },
  );

  test('given the country at home, when it is judged, then it is Belgium', () => {
    expect([homeCountry, isCountryCode(homeCountry)]).toEqual(['BE', true]);
  });
});

describe('Belgian postal codes', () => {
  test.each(['1000', '1050', '4000', '9999'])('given %s, when it is judged, then it can exist', (zip) => {
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
  ])('given %j, when it is judged, then it cannot', (zip) => {
    expect(isBelgianZip(zip)).toBe(false);
  });
});
