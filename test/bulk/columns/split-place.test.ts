// Level: unit
import { findCellFaults } from '#common/bulk/check/find-cell-faults.ts';
import { guessMapping } from '#common/bulk/check/guess-mapping.ts';
import { readLetter } from '#common/bulk/check/read-letter.ts';
import { splitPlace } from '#common/bulk/check/split-place.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('a column with postal code and city', () => {
  test.each([
    ['BE', '1000 Bruxelles', '1000', 'Bruxelles'],
    ['BE', 'B-1000  Bruxelles', '1000', 'Bruxelles'],
    ['BE', 'BE 9000 - Gent', '9000', 'Gent'],
    ['BE', 'Louvain-la-Neuve, 1348', '1348', 'Louvain-la-Neuve'],
    ['BE', '1000/Bruxelles', '1000', 'Bruxelles'],
    ['BE', '3665 AS', '3665', 'AS'],
    ['DE', 'D-10115 Berlin', '10115', 'Berlin'],
    ['DE', '60311 Frankfurt am Main', '60311', 'Frankfurt am Main'],
    ['FR', 'F-75008 Paris CEDEX 08', '75008', 'Paris CEDEX 08'],
    ['LU', 'L-1234 Luxembourg', '1234', 'Luxembourg'],
    ['NL', "2511 AB 's-Gravenhage", '2511 AB', "'s-Gravenhage"],
    ['NL', '1011AB Amsterdam', '1011AB', 'Amsterdam'],
    ['GB', 'SW1A 1AA London', 'SW1A 1AA', 'London'],
    ['GB', 'Stoke-on-Trent ST1 5AB', 'ST1 5AB', 'Stoke-on-Trent'],
    ['GB', 'L1 8JQ Liverpool', 'L1 8JQ', 'Liverpool'],
    ['IE', 'Dublin 2, D02 AF30', 'D02 AF30', 'Dublin 2'],
    ['US', 'Springfield, IL 62704-1234', '62704-1234', 'Springfield, IL'],
    ['CA', 'Toronto ON M5V 2T6', 'M5V 2T6', 'Toronto ON'],
    ['PL', '00-950 Warszawa', '00-950', 'Warszawa'],
    ['PT', '1000-205 Lisboa', '1000-205', 'Lisboa'],
    ['SE', '113 59 Stockholm', '113 59', 'Stockholm'],
    ['GR', '104 32 Αθήνα', '104 32', 'Αθήνα'],
  ])('is split by the codes of %s: %s', (country, text, zip, city) => {
    expect(splitPlace(text, country)).toEqual({ zip, city });
  });

  test.each([
    ['BE', 'Bruxelles'],
    ['BE', '1000'],
    ['BE', '1000 1050'],
    ['BE', '1000 Bruxelles, BP 1234'],
    ['BE', '1000 12 Bruxelles'],
    ['BE', '0100 Bruxelles'],
    ['BE', 'D-10115 Berlin'],
    ['BE', '1000Bruxelles'],
    ['BE', '1234 AB'],
    ['DE', '1067 Dresden'],
    ['DE', 'F-10115 Berlin'],
    ['GB', 'London SW1A'],
    ['NL', '1011 Amsterdam'],
    ['AE', '1000 Dubai'],
    ['', '1000 Bruxelles'],
  ])('is a fault of its row when that is not safe: %s %s', (country, text) => {
    expect(splitPlace(text, country)).toBeNull();
    const mapping = { fields: { name: [0], line1: [1], zip: [2], city: [2], country: [3] }, variables: [] };
    const letter = readLetter(['Ada', 'Rue Haute 1', text, country || 'Nowhere'], mapping, null);
    const fault = country === '' ? { column: 3, code: 'unknown_country' } : { column: 2, code: 'place_not_split' };
    expect(findCellFaults(letter, mapping, { zone: null, mode: 'live' })).toEqual([{ ...fault, detail: null }]);
  });

  test.each([
    'Postcode en plaats',
    'CP Ville',
    'CP et localité',
    'PLZ Ort',
    'PLZ/Ort',
    'PLZ und Ort',
    'City/ZIP',
    'Zip, City',
  ])('is known by its heading: %s', (heading) => {
    expect(guessMapping(['Name', 'Street', heading]).fields).toMatchObject({ zip: [2], city: [2] });
  });

  test('is known by its cells where a column of either lacks, and printed as two fields', () => {
    const guess = (heading: string, cells: string[], more: string[] = []) => {
      const sample = cells.map((cell) => ['Ada', 'Rue Haute 1', cell, 'DE', ...more]);
      return guessMapping(['Name', 'Street', heading, 'Country', ...(more.length > 0 ? ['City'] : [])], [], { sample });
    };
    const cells = ['10115 Berlin', 'D-50667 Köln', 'unknown'];
    const { fields } = guess('Ort', cells);
    expect(fields).toMatchObject({ zip: [2], city: [2] });
    expect(guess('Where', cells.slice(0, 2)).fields).toMatchObject({ zip: [2], city: [2] });
    const letter = readLetter(['Ada', 'Straße 1', cells[1] ?? '', 'DE'], { fields, variables: [] }, null);
    expect(letter).toMatchObject({ zip: '50667', city: 'Köln' });
    // Without a known heading, every cell must have both. A column of each is left as it is.
    expect(guess('Where', cells).fields.zip).toBeUndefined();
    expect(guess('Ort', ['Berlin', 'Köln 1']).fields).toEqual(expect.not.objectContaining({ zip: [2] }));
    expect(guess('PLZ', ['10115 Berlin'], ['Berlin']).fields).toMatchObject({ zip: [2], city: [4] });
  });
});
