// Level: unit
import { type PricedLetter, priceLetter } from '#common/pricing/price-letter.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aTariff, sameVat } from '../support/product/tariffs.ts';

const letter = (overrides: Partial<PricedLetter> = {}): PricedLetter => ({
  pages: 1,
  color: false,
  hasAcknowledgmentReceipt: false,
  recipientCount: 1,
  ...overrides,
});
const codesOf = (of: PricedLetter, tariff = aTariff()) => priceLetter(of, tariff).lines.map(({ code }) => code);

describe('the price of a letter', () => {
  test('three pages to two recipients at 2.41 net cost the documented amounts', () => {
    const tariff = aTariff({ handlingCents: 40, pageCents: 26, postage: [{ upToGrams: 50, cents: 123 }] });
    expect(priceLetter(letter({ pages: 3, recipientCount: 2 }), tariff)).toEqual({
      currency: 'EUR',
      unitNetCents: 241,
      recipientCount: 2,
      netCents: 482,
      vatCents: 101,
      totalCents: 583,
      lines: [
        { code: 'HANDLING', description: 'Handling', quantity: 2, unitCents: 40, netCents: 80, vatPercent: 21 },
        { code: 'PRINT', description: 'Printing, 3 pages', quantity: 2, unitCents: 78, netCents: 156, vatPercent: 21 },
        { code: 'POSTAGE', description: 'Postage, 15 g', quantity: 2, unitCents: 123, netCents: 246, vatPercent: 21 },
      ],
      vat: [{ percent: 21, netCents: 482, vatCents: 101 }],
      sheets: 2,
      weightGrams: 15,
      envelopes: 1,
    });
  });

  test('every component has its line, in the documented order', () => {
    const everything = letter({ pages: 3, color: true, hasAcknowledgmentReceipt: true, recipientCount: 4 });
    const { lines, unitNetCents, netCents } = priceLetter(everything, aTariff({ serviceType: 'registered' }));
    expect(lines.map(({ code, unitCents }) => [code, unitCents])).toEqual([
      ['HANDLING', 40],
      ['PRINT', 78],
      // In addition to the price per page.
      ['COLOR', 90],
      ['POSTAGE', 123],
      ['REGISTERED', 700],
      ['ACKNOWLEDGMENT_RECEIPT', 150],
    ]);
    expect([unitNetCents, netCents]).toEqual([1_181, 4_724]);
    expect(lines.every(({ quantity, unitCents, netCents: net }) => quantity === 4 && net === 4 * unitCents)).toBe(true);
  });

  test.each([
    ['standard', false, ['HANDLING', 'PRINT', 'POSTAGE']],
    ['prior', false, ['HANDLING', 'PRINT', 'POSTAGE']],
    ['standard', true, ['HANDLING', 'PRINT', 'POSTAGE']],
    ['prior', true, ['HANDLING', 'PRINT', 'POSTAGE']],
    ['registered', false, ['HANDLING', 'PRINT', 'POSTAGE', 'REGISTERED']],
    ['registered', true, ['HANDLING', 'PRINT', 'POSTAGE', 'REGISTERED', 'ACKNOWLEDGMENT_RECEIPT']],
  ] as const)(
    'a receipt for a %s letter (%s) costs money only if registered',
    (serviceType, hasAcknowledgmentReceipt, codes) => {
      expect(codesOf(letter({ hasAcknowledgmentReceipt }), aTariff({ serviceType }))).toEqual(codes);
    },
  );

  test('the line of one page says "1 page"', () => {
    const { lines } = priceLetter(letter({ color: true }), aTariff());
    expect(lines.map(({ description }) => description)).toEqual([
      'Handling',
      'Printing, 1 page',
      'Colour, 1 page',
      'Postage, 10 g',
    ]);
  });
});

describe('VAT of a letter', () => {
  test('each of two VAT rates applies once to the sum of its lines', () => {
    const vatPercent = { ...sameVat(21), POSTAGE: 0, REGISTERED: 0 };
    // 40 + 26 = 66 at 21 percent is 13.86. By line it would be 8.40 and 5.46, rounded 8 + 5.
    const { vat, vatCents, netCents, totalCents } = priceLetter(letter(), aTariff({ vatPercent }));
    expect(vat).toEqual([
      { percent: 0, netCents: 123, vatCents: 0 },
      { percent: 21, netCents: 66, vatCents: 14 },
    ]);
    expect([netCents, vatCents, totalCents]).toEqual([189, 14, 203]);
  });

  test('VAT is rounded once for all recipients', () => {
    const tariff = aTariff({ handlingCents: 1, pageCents: 0, postage: [{ upToGrams: 50, cents: 0 }] });
    // 0.21 cents for each of 100: 21 cents together, 0 one by one.
    expect(priceLetter(letter({ recipientCount: 100 }), tariff)).toMatchObject({ netCents: 100, vatCents: 21 });
  });

  test('a price of 0 has no VAT', () => {
    const free = { handlingCents: 0, pageCents: 0, postage: [{ upToGrams: 50, cents: 0 }] };
    expect(priceLetter(letter(), aTariff(free))).toMatchObject({ netCents: 0, vatCents: 0, totalCents: 0 });
  });
});

describe('sheets and weight', () => {
  test.each([
    [1, 1, 10],
    [2, 1, 10],
    [3, 2, 15],
    [4, 2, 15],
    [17, 9, 50],
    [18, 9, 50],
  ])('%i pages are %i sheets and %i g, printed on both sides', (pages, sheets, grams) => {
    expect(priceLetter(letter({ pages }), aTariff())).toMatchObject({ sheets, weightGrams: grams, envelopes: 1 });
  });

  test('on one side, each page is a sheet', () => {
    const priced = priceLetter(letter({ pages: 19, doubleSided: false }), aTariff());
    expect(priced).toMatchObject({ sheets: 19, weightGrams: 100, envelopes: 1 });
    expect(priced.lines.find(({ code }) => code === 'POSTAGE')).toMatchObject({ unitCents: 246 });
  });

  const postageOf = (pages: number) =>
    priceLetter(letter({ pages }), aTariff()).lines.find(({ code }) => code === 'POSTAGE');
  test.each([
    // 9 sheets and the envelope weigh 50 g, the limit of the first bracket.
    [18, 123],
    [19, 246],
    [38, 246],
    [39, 369],
    [138, 369],
    [139, 492],
    [798, 492],
  ])('%i pages, at the limit of a bracket, cost %i cents of postage', (pages, cents) => {
    expect(postageOf(pages)?.unitCents).toBe(cents);
  });

  test.each([
    // 399 sheets and the envelope weigh 2,000 g, the last bracket. One more starts a second envelope at its own weight.
    [798, 1, 2_000, 492, 'Postage, 2000 g'],
    [799, 2, 2_010, 492 + 123, 'Postage, 2010 g, 2 envelopes'],
    [816, 2, 2_050, 492 + 123, 'Postage, 2050 g, 2 envelopes'],
    [817, 2, 2_055, 492 + 246, 'Postage, 2055 g, 2 envelopes'],
    [1_596, 2, 4_000, 2 * 492, 'Postage, 4000 g, 2 envelopes'],
    [1_597, 3, 4_010, 2 * 492 + 123, 'Postage, 4010 g, 3 envelopes'],
    [2_000, 3, 5_015, 2 * 492 + 492, 'Postage, 5015 g, 3 envelopes'],
  ])('%i pages fill %i envelopes, each paid by its weight', (pages, envelopes, grams, cents, text) => {
    expect(priceLetter(letter({ pages }), aTariff())).toMatchObject({ envelopes, weightGrams: grams });
    expect(postageOf(pages)).toMatchObject({ unitCents: cents, description: text });
  });

  test('handling, registration and receipt are charged once per recipient, not per envelope', () => {
    const long = letter({ pages: 2_000, hasAcknowledgmentReceipt: true, recipientCount: 3 });
    const { lines } = priceLetter(long, aTariff({ serviceType: 'registered' }));
    const paid = Object.fromEntries(lines.map(({ code, netCents }) => [code, netCents]));
    expect(paid).toMatchObject({ HANDLING: 120, REGISTERED: 2_100, ACKNOWLEDGMENT_RECEIPT: 450 });
  });

  test('a last bracket of one sheet splits 2,000 pages into 1,000 envelopes', () => {
    const tariff = aTariff({ postage: [{ upToGrams: 10, cents: 123 }] });
    expect(priceLetter(letter({ pages: 2_000 }), tariff)).toMatchObject({ envelopes: 1_000, weightGrams: 10_000 });
  });

  test('a last bracket below one sheet, which no import accepts, throws', () => {
    expect(() => priceLetter(letter(), aTariff({ postage: [{ upToGrams: 9, cents: 1 }] }))).toThrow(
      /carries no letter/,
    );
  });
});
