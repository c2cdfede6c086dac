import type { VatPart } from '../money.ts';
import type { MailJobRecord } from './mail-job.model.ts';

type VatRow = MailJobRecord['amounts']['vat'][number];
/** What of a mail job decides how its money splits by VAT rate. */
export type VatSource = {
  amounts: { vat: readonly VatRow[] };
  items: readonly { itemId: string; shareCents: number }[];
};

/** How a mail job's debit splits by VAT rate: its amounts, negative as the debit is. */
export function vatOfDebit({ amounts }: Pick<VatSource, 'amounts'>): VatPart[] {
  return amounts.vat.map(({ percent, netCents, vatCents }) => ({
    percent,
    netCents: 0 - netCents,
    vatCents: 0 - vatCents,
  }));
}

/**
 * How the refund of one item splits by VAT rate: nearly the same part of each as of the total, in whole cents, so that
 * net and VAT of all rates add up to the item's share, and those of all items to the job's amounts.
 * Throws for an item that the job does not have.
 */
export function vatOfRefund({ amounts, items }: VatSource, itemId: string): VatPart[] {
  const index = items.findIndex((item) => item.itemId === itemId);
  const item = items[index];
  if (!item) throw new Error(`No item ${itemId} in its mail job`);
  const count = items.length;
  const columns = amounts.vat.flatMap(({ netCents, vatCents }) => [netCents, vatCents]);
  // Each item first gets what every one can have of each column; what a share still lacks then comes from the cents
  // that are left of the columns, laid end to end: the first item takes the first ones, the last whatever remains.
  const evenCents = columns.map((cents) => Math.floor(cents / count));
  const firstShareCents = items[0]?.shareCents ?? 0;
  const lackingCents = firstShareCents - sum(evenCents);
  const isLast = index === count - 1;
  const from = index * lackingCents;
  const to = isLast ? Number.POSITIVE_INFINITY : from + lackingCents;

  let position = 0;
  const parts = columns.map((cents, column) => {
    const even = evenCents[column] ?? 0;
    const leftCents = cents - even * count;
    const takenCents = Math.max(0, Math.min(to, position + leftCents) - Math.max(from, position));
    position += leftCents;
    return even + takenCents;
  });
  return amounts.vat.map(({ percent }, row) => ({
    percent,
    netCents: parts[row * 2] ?? 0,
    vatCents: parts[row * 2 + 1] ?? 0,
  }));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
