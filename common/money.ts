/** Money is a whole number of euro cents everywhere. */

export const currency = 'EUR' as const;

/**
 * The part of an amount at one VAT rate, with the sign of the amount. Net and VAT of all parts add up to the amount.
 */
export type VatPart = { percent: number; netCents: number; vatCents: number };

/** Returns `cents`. Throws if it is not a safe integer, which is always a bug. */
export function assertCents(cents: number): number {
  if (!Number.isSafeInteger(cents)) throw new Error(`Not a whole number of cents: ${cents}`);
  return cents;
}

/**
 * Returns the VAT on a net amount, rounded half up to the cent. `percent` may have two decimals (5.5, 21, 6.25) and is
 * converted to basis points first, so the calculation uses whole numbers only.
 */
export function vatCents(netCents: number, percent: number): number {
  const basisPoints = Math.round(percent * 100);
  // Throws rather than round a product beyond the safe integers.
  return Math.floor(assertCents(assertCents(netCents) * basisPoints + 5_000) / 10_000);
}

/** Splits a total into `count` equal shares. The remainder goes to the last, so the shares add up to the total. */
export function splitCents(totalCents: number, count: number): number[] {
  const share = Math.floor(assertCents(totalCents) / count);
  return Array.from({ length: count }, (_, index) => (index < count - 1 ? share : totalCents - share * (count - 1)));
}

/** Formats `123456` as `1,234.56 EUR`, for display only. */
export function formatCents(cents: number): string {
  const text = new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(assertCents(cents) / 100);
  return `${text} ${currency}`;
}
