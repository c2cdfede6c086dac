// Level: unit
import { lineCodes, TariffEntry } from '#common/pricing/tariff.schema.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aTariffEntry, sameVat } from '../support/product/tariffs.ts';

/** Returns the paths of an entry's faults, joined by dots. */
function refusedAt(entry: unknown): string[] {
  const { error } = TariffEntry.safeParse(entry);
  return (error?.issues ?? []).map((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    return [...issue.path, ...keys].join('.');
  });
}
const without = (field: string) =>
  Object.fromEntries(Object.entries(aTariffEntry()).filter(([name]) => name !== field));

describe('an entry of a tariff file', () => {
  test('a complete entry of every zone and service is accepted unchanged', () => {
    for (const zone of zones) {
      for (const serviceType of serviceTypes) {
        const entry = aTariffEntry({ zone, serviceType });
        expect(TariffEntry.parse(entry)).toEqual(entry);
      }
    }
  });

  test.each(Object.keys(aTariffEntry()))('an entry without %s is refused at that path', (field) => {
    expect(refusedAt(without(field))).toEqual([field]);
    expect(refusedAt({ ...aTariffEntry(), [field]: null })).toEqual([field]);
  });

  test.each(['name', 'currency', 'validTo', 'toString'])('the unknown field %s is named', (field) => {
    expect(refusedAt({ ...aTariffEntry(), [field]: 1 })).toEqual([field]);
  });

  test.each([
    ['zone', ['EUROPE', 'national', '', 1]],
    ['serviceType', ['express', 'Standard', '']],
    ['validFrom', ['2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', 'tomorrow', 0]],
    ['vatPercent', [21, {}, []]],
    ['postage', [[], {}, Array.from({ length: 51 }, (_, index) => ({ upToGrams: 100 + index, cents: 1 }))]],
  ])('an invalid value of %s is refused', (field, values) => {
    for (const value of values) {
      const paths = refusedAt({ ...aTariffEntry(), [field]: value });
      expect([value, paths.length > 0 && paths.every((path) => path.startsWith(field))]).toEqual([value, true]);
    }
  });

  const centFields = [
    'handlingCents',
    'pageCents',
    'colorPageCents',
    'registeredCents',
    'acknowledgmentReceiptCents',
  ] as const;
  test.each(centFields)('%s takes 0 to 1,000,000 whole cents', (field) => {
    for (const cents of [0, 1_000_000]) expect(refusedAt({ ...aTariffEntry(), [field]: cents })).toEqual([]);
    for (const cents of [-1, 1_000_001, 1.5, Number.NaN, '26']) {
      expect([cents, refusedAt({ ...aTariffEntry(), [field]: cents })]).toEqual([cents, [field]]);
    }
  });

  test('the envelope weighs at least 1 g, in whole grams', () => {
    expect(refusedAt(aTariffEntry({ envelopeGrams: 1 }))).toEqual([]);
    for (const grams of [0, -5, 5.5, 100_001]) {
      expect(refusedAt(aTariffEntry({ envelopeGrams: grams }))).toContain('envelopeGrams');
    }
  });
});

describe('the VAT of a tariff', () => {
  test.each(lineCodes)('a missing VAT rate of %s is refused at that path', (code) => {
    const { [code]: _, ...rest } = sameVat(21);
    expect(refusedAt({ ...aTariffEntry(), vatPercent: rest })).toEqual([`vatPercent.${code}`]);
  });

  test('every VAT rate of two decimals from 0 to 100 is accepted', () => {
    const refused = Array.from({ length: 10_001 }, (_, index) => index / 100).filter(
      (percent) => refusedAt(aTariffEntry({ vatPercent: sameVat(percent) })).length > 0,
    );
    expect(refused).toEqual([]);
  });

  const noRates = [-0.01, 100.01, 21.005, 0.001, Number.NaN, Number.POSITIVE_INFINITY];
  test.each(noRates)('a VAT rate of %d percent is refused for each component', (percent) => {
    const paths = new Set(refusedAt(aTariffEntry({ vatPercent: sameVat(percent) })));
    expect([...paths]).toEqual(lineCodes.map((code) => `vatPercent.${code}`));
  });

  test('the VAT rate of an unknown component is named', () => {
    const vatPercent = { ...sameVat(21), COLOUR: 21 };
    expect(refusedAt(aTariffEntry({ vatPercent }))).toEqual(['vatPercent.COLOUR']);
  });
});

describe('the postage of a tariff', () => {
  const bracket = (upToGrams: number, cents: number) => ({ upToGrams, cents });
  test.each([
    ['one bracket', [bracket(50, 100)], []],
    ['equal prices', [bracket(50, 100), bracket(100, 100)], []],
    ['equal weights', [bracket(50, 100), bracket(50, 200)], ['postage.1.upToGrams']],
    ['falling weights', [bracket(100, 100), bracket(50, 200)], ['postage.1.upToGrams']],
    ['falling prices', [bracket(50, 200), bracket(100, 199)], ['postage.1.cents']],
    [
      'several faults',
      [bracket(50, 200), bracket(50, 100), bracket(40, 90)],
      ['postage.1.upToGrams', 'postage.1.cents', 'postage.2.upToGrams', 'postage.2.cents'],
    ],
    ['room for the envelope and one sheet', [bracket(10, 100)], []],
    ['a gram less than that', [bracket(9, 100)], ['postage']],
    ['a fraction of a gram', [bracket(50.5, 100)], ['postage.0.upToGrams']],
    ['no weight', [bracket(0, 100)], ['postage.0.upToGrams', 'postage']],
    ['a price below nothing', [bracket(50, -1)], ['postage.0.cents']],
  ])('brackets with %s have exactly the expected faults', (_name, postage, paths) => {
    expect(refusedAt(aTariffEntry({ postage }))).toEqual(paths);
  });

  test('50 brackets are accepted', () => {
    const postage = Array.from({ length: 50 }, (_, index) => bracket(50 + index, 100 + index));
    expect(refusedAt(aTariffEntry({ postage }))).toEqual([]);
  });

  test('an unknown field in a bracket is named', () => {
    const postage = [{ ...bracket(50, 100), priceCents: 1 }];
    expect(refusedAt(aTariffEntry({ postage }))).toEqual(['postage.0.priceCents']);
  });

  test('all faults of an entry are reported at once', () => {
    const entry = {
      ...aTariffEntry(),
      zone: 'EUROPE',
      pageCents: -1,
      vatPercent: { ...sameVat(21), PRINT: 101 },
      x: 1,
    };
    expect(refusedAt(entry).sort()).toEqual(['pageCents', 'vatPercent.PRINT', 'x', 'zone']);
  });
});
