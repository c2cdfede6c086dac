import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { splitCents } from '../../common/money.ts';
import { type Amounts, type PricedLetter, priceLetter } from '../../common/pricing/price-letter.ts';
import type { TariffRecord } from '../../common/pricing/tariff.model.ts';
import { lineCodes, serviceTypes, TariffEntry } from '../../common/pricing/tariff.schema.ts';
import { aTariff, aTariffEntry, sameVat } from '../support/sample-tariff.ts';

const cents = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 1_000_000 }));
const percent = fc.oneof(
  fc.constantFrom(0, 6, 12, 21),
  fc.integer({ min: 0, max: 10_000 }).map((basisPoints) => basisPoints / 100),
);

/** Brackets that rise in weight and never fall in price; the first carries a sheet at least. */
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

/** Any tariff that an import lets in. */
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

describe('any letter by any tariff', () => {
  test('given any tariff and letter, when it is priced, then lines, rates and total add up in whole cents', () => {
    fc.assert(
      fc.property(letters, tariffs, (letter, tariff) => {
        const amounts = priceLetter(letter, tariff);
        const { lines, vat, netCents, vatCents, totalCents, unitNetCents, recipientCount } = amounts;
        expect(countsOf(amounts).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
        expect(sum(lines.map((line) => line.netCents))).toBe(netCents);
        expect(sum(vat.map((rate) => rate.netCents))).toBe(netCents);
        expect(sum(vat.map((rate) => rate.vatCents))).toBe(vatCents);
        expect(netCents + vatCents).toBe(totalCents);
        expect(unitNetCents * recipientCount).toBe(netCents);
        expect(lines.every((line) => line.netCents === line.unitCents * line.quantity)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('given any tariff and letter, when it is taxed, then each rate comes once, by exact arithmetic on its lines', () => {
    fc.assert(
      fc.property(letters, tariffs, (letter, tariff) => {
        const { lines, vat } = priceLetter(letter, tariff);
        const rates = [...new Set(lines.map(({ vatPercent }) => vatPercent))].sort((left, right) => left - right);
        expect(vat.map((row) => row.percent)).toEqual(rates);
        for (const { percent: rate, vatCents } of vat) {
          const netCents = sum(lines.filter(({ vatPercent }) => vatPercent === rate).map((line) => line.netCents));
          const exact = (BigInt(netCents) * BigInt(Math.round(rate * 100)) + 5_000n) / 10_000n;
          expect(BigInt(vatCents)).toBe(exact);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('given any letter, when its price is split over its people, then the shares add up, and only the last one differs', () => {
    fc.assert(
      fc.property(letters, tariffs, (letter, tariff) => {
        const { totalCents, recipientCount } = priceLetter(letter, tariff);
        const shares = splitCents(totalCents, recipientCount);
        expect([shares.length, sum(shares)]).toEqual([recipientCount, totalCents]);
        expect(shares.every((share) => Number.isSafeInteger(share) && share >= 0)).toBe(true);
        expect(new Set(shares.slice(0, -1)).size).toBeLessThanOrEqual(1);
        const [first = 0, last = 0] = [shares[0], shares.at(-1)];
        expect(last - first).toBeGreaterThanOrEqual(0);
        expect(last - first).toBeLessThan(recipientCount);
      }),
      { numRuns: 500 },
    );
  });

  test('given any letter, when it is priced, then VAT is no cent away from that of each copy taxed exactly, and never a float', () => {
    fc.assert(
      fc.property(letters, tariffs, (letter, tariff) => {
        const { vat, vatCents, totalCents } = priceLetter(letter, tariff);
        // One rounding a rate: half a cent each at most, whatever the number of copies and lines.
        const exactTenThousandths = vat.reduce(
          (total, { percent: rate, netCents }) => total + BigInt(netCents) * BigInt(Math.round(rate * 100)),
          0n,
        );
        const differs = BigInt(vatCents) * 10_000n - exactTenThousandths;
        expect(differs <= 5_000n * BigInt(vat.length) && differs >= -5_000n * BigInt(vat.length)).toBe(true);
        expect(JSON.stringify([vatCents, totalCents])).toMatch(/^\[\d+,\d+\]$/);
      }),
      { numRuns: 500 },
    );
  });

  test('given any letter, when a page is added, then no line and no total is ever cheaper', () => {
    const shorter = letters.map((letter) => ({ ...letter, pages: Math.min(letter.pages, 1_999) }));
    fc.assert(
      fc.property(shorter, tariffs, (letter, tariff) => {
        const [before, after] = [letter.pages, letter.pages + 1].map((pages) =>
          priceLetter({ ...letter, pages }, tariff),
        );
        expect(after?.totalCents).toBeGreaterThanOrEqual(before?.totalCents ?? Number.NaN);
        for (const [index, line] of (after?.lines ?? []).entries()) {
          expect(line.unitCents).toBeGreaterThanOrEqual(before?.lines[index]?.unitCents ?? Number.NaN);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('given any letter, when it goes to more people, then the net price grows with their number and one copy stays', () => {
    fc.assert(
      fc.property(letters, tariffs, (letter, tariff) => {
        const one = priceLetter({ ...letter, recipientCount: 1 }, tariff);
        const many = priceLetter(letter, tariff);
        expect(many.netCents).toBe(one.netCents * letter.recipientCount);
        expect(many.unitNetCents).toBe(one.netCents);
        const copy = ({ sheets, weightGrams, envelopes }: Amounts) => ({ sheets, weightGrams, envelopes });
        expect(copy(many)).toEqual(copy(one));
      }),
    );
  });

  test('given any letter, when colour, or with registered a receipt, is added, then exactly that line is added', () => {
    fc.assert(
      fc.property(letters, tariffs, (letter, tariff) => {
        const plain = priceLetter({ ...letter, color: false, hasAcknowledgmentReceipt: false }, tariff);
        const rich = priceLetter({ ...letter, color: true, hasAcknowledgmentReceipt: true }, tariff);
        const added = tariff.serviceType === 'registered' ? ['COLOR', 'ACKNOWLEDGMENT_RECEIPT'] : ['COLOR'];
        expect(rich.lines.filter(({ code }) => !added.includes(code))).toEqual(plain.lines);
        expect(rich.lines).toHaveLength(plain.lines.length + added.length);
      }),
    );
  });

  test('given 1 to 2,000 pages and the sample tariff, when each is priced, then each has a price', () => {
    const letter = { color: true, hasAcknowledgmentReceipt: true, recipientCount: 100 };
    for (let pages = 1; pages <= 2_000; pages += 1) {
      const { totalCents, sheets } = priceLetter({ ...letter, pages }, aTariff({ serviceType: 'registered' }));
      expect([Number.isSafeInteger(totalCents) && totalCents > 0, sheets]).toEqual([true, Math.ceil(pages / 2)]);
    }
  });

  test('given the dearest tariff that an import lets in, when the longest letter is priced, then it can be counted', () => {
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
