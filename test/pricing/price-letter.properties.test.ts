// Level: unit
import fc from 'fast-check';
import { splitCents } from '#common/money.ts';
import { type Amounts, type PricedLetter, priceLetter } from '#common/pricing/price-letter.ts';
import type { TariffRecord } from '#common/pricing/tariff.model.ts';
import { lineCodes, TariffEntry } from '#common/pricing/tariff.schema.ts';
import { serviceTypes } from '#common/services.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';
import { aTariff, aTariffEntry, sameVat } from '../support/product/tariffs.ts';

const cents = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 1_000_000 }));
const percent = fc.oneof(
  fc.constantFrom(0, 6, 12, 21),
  fc.integer({ min: 0, max: 10_000 }).map((basisPoints) => basisPoints / 100),
);

/** Brackets of rising weight and never falling price. The first carries at least one sheet. */
const postage = fc
  .tuple(
    fc.integer({ min: 5, max: 200 }),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), cents), { minLength: 1, maxLength: 6 }),
  )
  .map(([firstGrams, steps]) => {
    let upToGrams = firstGrams;
    let price = 0;
    return steps.map(([grams, more]) => {
      upToGrams += grams;
      price = Math.min(price + more, 1_000_000);
      return { upToGrams, cents: price };
    });
  });

/** Any tariff that an import accepts. */
const tariffs: fc.Arbitrary<TariffRecord> = fc
  .record({
    serviceType: fc.constantFrom(...serviceTypes),
    vatPercent: fc.tuple(...lineCodes.map(() => percent)).map((rates) => {
      const pairs = lineCodes.map((code, index) => [code, rates[index] ?? 0] as const);
      return { ...sameVat(0), ...Object.fromEntries(pairs) };
    }),
    handlingCents: cents,
    pageCents: cents,
    colorPageCents: cents,
    registeredCents: cents,
    acknowledgmentReceiptCents: cents,
    envelopeGrams: fc.integer({ min: 1, max: 100 }),
    postage,
  })
  .map((entry) => ({ ...aTariffEntry(), ...entry }))
  .filter((entry) => TariffEntry.safeParse(entry).success)
  .map((entry) => aTariff(entry));

const letters: fc.Arbitrary<PricedLetter> = fc.record({
  pages: fc.integer({ min: 1, max: 2_000 }),
  color: fc.boolean(),
  hasAcknowledgmentReceipt: fc.boolean(),
  recipientCount: fc.integer({ min: 1, max: 100 }),
});

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}

/** Everything but the rates is counted in whole cents, grams or pieces. */
function countsOf({ lines, vat, ...rest }: Amounts): number[] {
  const withoutRates = [
    ...lines.map(({ vatPercent: _, ...line }) => line),
    ...vat.map(({ percent: _, ...rate }) => rate),
  ];
  return numbersIn([rest, withoutRates]);
}

describe('any letter under any tariff', () => {
  test('lines, rates and total add up in whole cents', () => {
    forAny([letters, tariffs], (letter, tariff) => {
      const amounts = priceLetter(letter, tariff);
      const { lines, vat, netCents, vatCents, totalCents, unitNetCents, recipientCount } = amounts;
      expect(countsOf(amounts).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
      expect(sum(lines.map((line) => line.netCents))).toBe(netCents);
      expect(sum(vat.map((rate) => rate.netCents))).toBe(netCents);
      expect(sum(vat.map((rate) => rate.vatCents))).toBe(vatCents);
      expect(netCents + vatCents).toBe(totalCents);
      expect(unitNetCents * recipientCount).toBe(netCents);
      expect(lines.every((line) => line.netCents === line.unitCents * line.quantity)).toBe(true);
    });
  });

  test('each VAT rate is listed once and is exact for the sum of its lines', () => {
    forAny([letters, tariffs], (letter, tariff) => {
      const { lines, vat } = priceLetter(letter, tariff);
      const rates = [...new Set(lines.map(({ vatPercent }) => vatPercent))].sort((left, right) => left - right);
      expect(vat.map((row) => row.percent)).toEqual(rates);
      for (const { percent: rate, vatCents } of vat) {
        const netCents = sum(lines.filter(({ vatPercent }) => vatPercent === rate).map((line) => line.netCents));
        const exact = (BigInt(netCents) * BigInt(Math.round(rate * 100)) + 5_000n) / 10_000n;
        expect(BigInt(vatCents)).toBe(exact);
      }
    });
  });

  test('the shares of the recipients add up, and only the last differs', () => {
    forAny([letters, tariffs], (letter, tariff) => {
      const { totalCents, recipientCount } = priceLetter(letter, tariff);
      const shares = splitCents(totalCents, recipientCount);
      expect([shares.length, sum(shares)]).toEqual([recipientCount, totalCents]);
      expect(shares.every((share) => Number.isSafeInteger(share) && share >= 0)).toBe(true);
      expect(new Set(shares.slice(0, -1)).size).toBeLessThanOrEqual(1);
      const [first = 0, last = 0] = [shares[0], shares.at(-1)];
      expect(last - first).toBeGreaterThanOrEqual(0);
      expect(last - first).toBeLessThan(recipientCount);
    });
  });

  test('VAT differs by less than a cent per rate from exact VAT per copy, and is an integer', () => {
    forAny([letters, tariffs], (letter, tariff) => {
      const { vat, vatCents, totalCents } = priceLetter(letter, tariff);
      // One rounding per rate: at most half a cent each, whatever the number of copies and lines.
      const exactTenThousandths = vat.reduce(
        (total, { percent: rate, netCents }) => total + BigInt(netCents) * BigInt(Math.round(rate * 100)),
        0n,
      );
      const differs = BigInt(vatCents) * 10_000n - exactTenThousandths;
      expect(differs <= 5_000n * BigInt(vat.length) && differs >= -5_000n * BigInt(vat.length)).toBe(true);
      expect(JSON.stringify([vatCents, totalCents])).toMatch(/^\[\d+,\d+\]$/);
    });
  });

  test('an added page never makes a line or the total cheaper', () => {
    const shorter = letters.map((letter) => ({ ...letter, pages: Math.min(letter.pages, 1_999) }));
    forAny([shorter, tariffs], (letter, tariff) => {
      const [before, after] = [letter.pages, letter.pages + 1].map((pages) =>
        priceLetter({ ...letter, pages }, tariff),
      );
      expect(after?.totalCents).toBeGreaterThanOrEqual(before?.totalCents ?? Number.NaN);
      for (const [index, line] of (after?.lines ?? []).entries()) {
        expect(line.unitCents).toBeGreaterThanOrEqual(before?.lines[index]?.unitCents ?? Number.NaN);
      }
    });
  });

  test('the net price grows with the recipients and the price of a copy stays the same', () => {
    forAny([letters, tariffs], (letter, tariff) => {
      const one = priceLetter({ ...letter, recipientCount: 1 }, tariff);
      const many = priceLetter(letter, tariff);
      expect(many.netCents).toBe(one.netCents * letter.recipientCount);
      expect(many.unitNetCents).toBe(one.netCents);
      const copy = ({ sheets, weightGrams, envelopes }: Amounts) => ({ sheets, weightGrams, envelopes });
      expect(copy(many)).toEqual(copy(one));
    });
  });

  test('adding colour, or a receipt to a registered letter, adds exactly that line', () => {
    forAny([letters, tariffs], (letter, tariff) => {
      const plain = priceLetter({ ...letter, color: false, hasAcknowledgmentReceipt: false }, tariff);
      const rich = priceLetter({ ...letter, color: true, hasAcknowledgmentReceipt: true }, tariff);
      const added = tariff.serviceType === 'registered' ? ['COLOR', 'ACKNOWLEDGMENT_RECEIPT'] : ['COLOR'];
      expect(rich.lines.filter(({ code }) => !added.includes(code))).toEqual(plain.lines);
      expect(rich.lines).toHaveLength(plain.lines.length + added.length);
    });
  });

  test('the sample tariff prices 1 to 2,000 pages', () => {
    const letter = { color: true, hasAcknowledgmentReceipt: true, recipientCount: 100 };
    for (let pages = 1; pages <= 2_000; pages += 1) {
      const { totalCents, sheets } = priceLetter({ ...letter, pages }, aTariff({ serviceType: 'registered' }));
      expect([Number.isSafeInteger(totalCents) && totalCents > 0, sheets]).toEqual([true, Math.ceil(pages / 2)]);
    }
  });

  test('the highest price that an import allows is a safe integer', () => {
    const dear = 1_000_000;
    const tariff = aTariff({
      serviceType: 'registered',
      vatPercent: sameVat(100),
      handlingCents: dear,
      pageCents: dear,
      colorPageCents: dear,
      registeredCents: dear,
      acknowledgmentReceiptCents: dear,
      postage: [{ upToGrams: 10, cents: dear }],
    });
    const longest = { pages: 2_000, color: true, hasAcknowledgmentReceipt: true, recipientCount: 100 };
    // 2,000 pages twice, 1,000 envelopes, handling, registration and receipt; to 100 people, VAT as much again.
    expect(priceLetter(longest, tariff).totalCents).toBe((2 * 2_000 + 1_000 + 3) * dear * 100 * 2);
  });
});
