// Level: unit
import fc from 'fast-check';
import { vatOfDebit, vatOfRefund } from '#common/mail-jobs/rules/vat-shares.ts';
import { splitCents } from '#common/money.ts';
import { describe, expect, forAny, test } from '#test/support/jest.ts';

const rows = fc
  .uniqueArray(fc.constantFrom(0, 5.5, 6, 12, 21), { minLength: 1 })
  .chain((percents) =>
    fc.tuple(
      ...percents.map((percent) =>
        fc.record({ percent: fc.constant(percent), netCents: fc.nat(500_000), vatCents: fc.nat(100_000) }),
      ),
    ),
  );

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

function aJob(vat: { percent: number; netCents: number; vatCents: number }[], count: number) {
  const shares = splitCents(sum(vat.flatMap(({ netCents, vatCents }) => [netCents, vatCents])), count);
  return { amounts: { vat }, items: shares.map((shareCents, index) => ({ itemId: `mi_${index}`, shareCents })) };
}

describe('VAT shares of a mail job', () => {
  test('refunds of all items match their shares and return the debit of each VAT rate', () => {
    forAny([rows, fc.integer({ min: 1, max: 100 })], (vat, count) => {
      const job = aJob(vat, count);
      const refunds = job.items.map(({ itemId }) => vatOfRefund(job, itemId));
      for (const [index, parts] of refunds.entries()) {
        const cents = parts.flatMap(({ netCents, vatCents }) => [netCents, vatCents]);
        expect(cents.every((part) => Number.isSafeInteger(part) && part >= 0)).toBe(true);
        expect(sum(cents)).toBe(job.items[index]?.shareCents);
      }
      const debit = vatOfDebit(job);
      for (const [row, { percent, netCents, vatCents }] of debit.entries()) {
        const ofRate = refunds.map((parts) => parts[row]!);
        expect(new Set(ofRate.map((part) => part.percent))).toEqual(new Set([percent]));
        expect(sum(ofRate.map((part) => part.netCents)) + netCents).toBe(0);
        expect(sum(ofRate.map((part) => part.vatCents)) + vatCents).toBe(0);
      }
    });
  });

  test('10.01 at 21 % and 5.00 without VAT are split between three recipients in whole cents', () => {
    const vat = (...rates: [netCents: number, vatCents: number][]) =>
      rates.map(([netCents, vatCents], index) => ({ percent: [0, 21][index] ?? 0, netCents, vatCents }));
    const job = aJob(vat([500, 0], [1_001, 210]), 3);
    // 17.11 in all: 5.70, 5.70 and 5.71.
    expect(job.items.map(({ itemId }) => vatOfRefund(job, itemId))).toEqual([
      vat([167, 0], [333, 70]),
      vat([167, 0], [333, 70]),
      vat([166, 0], [335, 70]),
    ]);
  });
});
