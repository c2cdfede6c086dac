// Level: unit
import { letterFacts } from '#common/documents/preflight/letter-facts.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('what is posted for a letter', () => {
  test.each([
    [1, { sheets: 1, weightGrams: 10, envelope: 'DL', envelopes: 1 }],
    [2, { sheets: 1, weightGrams: 10, envelope: 'DL', envelopes: 1 }],
    [3, { sheets: 2, weightGrams: 15, envelope: 'DL', envelopes: 1 }],
    [12, { sheets: 6, weightGrams: 35, envelope: 'DL', envelopes: 1 }],
    [13, { sheets: 7, weightGrams: 42, envelope: 'C5', envelopes: 1 }],
    [36, { sheets: 18, weightGrams: 97, envelope: 'C5', envelopes: 1 }],
    [37, { sheets: 19, weightGrams: 111, envelope: 'C4', envelopes: 1 }],
    [794, { sheets: 397, weightGrams: 1_997, envelope: 'C4', envelopes: 1 }],
    [795, { sheets: 398, weightGrams: 2_018, envelope: 'C4', envelopes: 2 }],
    [2_000, { sheets: 1_000, weightGrams: 5_038, envelope: 'C4', envelopes: 3 }],
  ])('%d pages', (pages, facts) => {
    expect(letterFacts(pages)).toEqual({ pages, doubleSided: true, ...facts });
  });

  test('on one side, each page is a sheet', () => {
    const facts = { sheets: 7, doubleSided: false, envelope: 'C5' };
    expect(letterFacts(7, { doubleSided: false })).toMatchObject(facts);
  });

  test('a cover page is a sheet of its own', () => {
    expect(letterFacts(1, { hasCoverPage: true })).toMatchObject({ pages: 1, sheets: 2 });
    expect(letterFacts(12, { hasCoverPage: true })).toMatchObject({ sheets: 7, envelope: 'C5' });
  });

  test('the weight of a sheet can be that of the tariffs', () => {
    expect(letterFacts(794, { gramsPerSheet: 5 })).toMatchObject({ weightGrams: 2_017, envelopes: 2 });
  });
});
