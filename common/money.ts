/** Money is a whole number of euro cents, everywhere; this file holds the few sums that are more than `+`. */

/** The only currency of the product. */
export const currency = 'EUR' as const;

/** What an amount holds at one VAT rate. Signed as the amount is; net and VAT of all rates add up to it. */
export type VatPart = { percent: number; netCents: number; vatCents: number };

/** Throws when `cents` is not a whole number that JavaScript counts exactly: a bug, never a caller's fault. */
export function assertCents(cents: number): number {
  if (!Number.isSafeInteger(cents)) throw new Error(`Not a whole number of cents: ${cents}`);
  return cents;
}

/**
 * VAT on a net sum, rounded half up to the cent.
 * `percent` may have two decimals (5.5, 21, 6.25); it is turned into basis points first, so that no sum is a float.
 */
export function vatCents(netCents: number, percent: number): number {
  const basisPoints = Math.round(percent * 100);
  // A product that JavaScript cannot count exactly is refused rather than rounded.
  return Math.floor(assertCents(assertCents(netCents) * basisPoints + 5_000) / 10_000);
}

/** A total split into `count` equal shares, the remainder to the last, so that the shares add up to the total. */
export function splitCents(totalCents: number, count: number): number[] {
  const share = Math.floor(assertCents(totalCents) / count);
  return Array.from({ length: count }, (_, index) => (index < count - 1 ? share : totalCents - share * (count - 1)));
}

/** `123456` as `1,234.56 EUR`, for people; never parsed back. */
export function formatCents(cents: number): string {
  const text = new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(assertCents(cents) / 100);
  return `${text} ${currency}`;
}
