import type { VatPart } from '#common/money.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';

type VatRow = MailJobRecord['amounts']['vat'][number];
/** The fields of a mail job that determine its VAT shares. */
export type VatSource = {
  amounts: { vat: readonly VatRow[] };
  items: readonly { itemId: string; shareCents: number }[];
};

/** Splits a mail job's debit by VAT rate. The amounts are negative. */
export function vatOfDebit({ amounts }: Pick<VatSource, 'amounts'>): VatPart[] {
  return amounts.vat.map(({ percent, netCents, vatCents }) => ({
    percent,
    netCents: 0 - netCents,
    vatCents: 0 - vatCents,
  }));
}

/**
 * Splits the refund of one item by VAT rate, in whole cents and nearly in proportion. Invariants: net and VAT of all
 * rates add up to the item's share, and the refunds of all items add up to the job's amounts.
 * Throws for an item that the job does not have.
 */
export function vatOfRefund({ amounts, items }: VatSource, itemId: string): VatPart[] {
  const index = items.findIndex((item) => item.itemId === itemId);
  const item = items[index];
  if (!item) throw new Error(`No item ${itemId} in its mail job`);
  const count = items.length;
  const columns = amounts.vat.flatMap(({ netCents, vatCents }) => [netCents, vatCents]);
  // Each item gets an even, rounded-down part of each column. The cents left over from all columns form one sequence,
  // from which each item in order takes what its share still lacks; the last item takes the rest.
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
