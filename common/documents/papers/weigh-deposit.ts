import type { Format } from '../sheet/envelope-schemes.ts';

/** A row of a deposit slip: the items of one weight class. */
export type DepositRow = {
  /** The heaviest that an item of the class may be. Null is above the last class. */
  upToGrams: number | null;
  itemCount: number;
  /** Of all items, rounded to whole grams. */
  grams: number;
};

/** Weight classes of letters at the post office, in grams. */
const weightClasses = [50, 100, 350, 1000, 2000];

/** 0.210 m x 0.297 m x 80 g/m2 = 4.9896 g a sheet. In tenths of a milligram, so sums are exact. */
const sheetUnits = 49_896;
const unitsPerGram = 10_000;
const envelopeGrams = { DL: 5, C5: 7, C4: 16 } as const;

/** Returns the rows of a deposit slip, the lightest class first. */
export function weighDeposit(format: Format, items: Iterable<{ sheetCount: number }>): DepositRow[] {
  const classes = new Map<number | null, { itemCount: number; units: number }>();
  for (const { sheetCount } of items) {
    const itemUnits = sheetCount * sheetUnits + envelopeGrams[format] * unitsPerGram;
    const upToGrams = weightClasses.find((grams) => itemUnits <= grams * unitsPerGram) ?? null;
    const { itemCount, units } = classes.get(upToGrams) ?? { itemCount: 0, units: 0 };
    classes.set(upToGrams, { itemCount: itemCount + 1, units: units + itemUnits });
  }
  return [...weightClasses, null].flatMap((upToGrams) => {
    const { itemCount = 0, units = 0 } = classes.get(upToGrams) ?? {};
    return itemCount === 0 ? [] : { upToGrams, itemCount, grams: Math.round(units / unitsPerGram) };
  });
}
