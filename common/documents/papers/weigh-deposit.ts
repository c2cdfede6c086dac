import { serviceTypes, zones } from '#common/services.ts';
import { formats } from '../sheet/envelope-schemes.ts';
import type { PaperBatch, PostalClass } from './paper-batch.ts';

/** The items of a deposit that have the same class and number of sheets. */
export type DepositCount = PostalClass & { sheetCount: number; itemCount: number };

/** A row of a deposit slip: the items of one class and weight class. */
export type DepositRow = PostalClass & {
  /** The heaviest that an item of the class may be. Null is above the last class. */
  upToGrams: number | null;
  itemCount: number;
  /** Of all items, rounded to whole grams. */
  grams: number;
};

/** Weight classes of letters at the post office, in grams. */
export const defaultWeightClasses: readonly number[] = [50, 100, 350, 1000, 2000];

/** 0.210 m x 0.297 m x 80 g/m2 = 4.9896 g a sheet. In tenths of a milligram, so sums are exact. */
const sheetUnits = 49_896;
const unitsPerGram = 10_000;
const envelopeGrams = { DL: 5, C5: 7, C4: 16 } as const;

/** Returns the items of a batch by their number of sheets, fewest first. */
export function countDeposit(
  { zone, serviceType, format, acknowledgmentReceipt }: PaperBatch,
  items: Iterable<{ sheetCount: number }>,
): DepositCount[] {
  const itemCounts = new Map<number, number>();
  for (const { sheetCount } of items) itemCounts.set(sheetCount, (itemCounts.get(sheetCount) ?? 0) + 1);
  return [...itemCounts]
    .sort(([a], [b]) => a - b)
    .map(([sheetCount, itemCount]) => ({ zone, serviceType, format, acknowledgmentReceipt, sheetCount, itemCount }));
}

/** Returns the rows of a deposit slip, by zone, service, format, receipt and weight. `weightClasses` ascend, in grams. */
export function weighDeposit(counts: readonly DepositCount[], weightClasses: readonly number[]): DepositRow[] {
  const rows = new Map<string, DepositRow & { units: number }>();
  for (const { zone, serviceType, format, acknowledgmentReceipt, sheetCount, itemCount } of counts) {
    const itemUnits = sheetCount * sheetUnits + envelopeGrams[format] * unitsPerGram;
    const upToGrams = weightClasses.find((grams) => itemUnits <= grams * unitsPerGram) ?? null;
    const key = sortKeyOf({ zone, serviceType, format, acknowledgmentReceipt, upToGrams });
    const row = rows.get(key);
    rows.set(key, {
      ...{ zone, serviceType, format, acknowledgmentReceipt, upToGrams, grams: 0 },
      itemCount: (row?.itemCount ?? 0) + itemCount,
      units: (row?.units ?? 0) + itemCount * itemUnits,
    });
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { units, ...row }]) => ({ ...row, grams: Math.round(units / unitsPerGram) }));
}

function sortKeyOf(row: PostalClass & { upToGrams: number | null }): string {
  const { zone, serviceType, format, acknowledgmentReceipt, upToGrams } = row;
  const ranks = [zones.indexOf(zone), serviceTypes.indexOf(serviceType), formats.indexOf(format)];
  const weight = String(upToGrams ?? Number.MAX_SAFE_INTEGER).padStart(16, '0');
  return [...ranks, Number(acknowledgmentReceipt), weight].join(' ');
}
