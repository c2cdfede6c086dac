import { readMonth } from '#common/calendar.ts';
import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import type { Mode, Owner } from '#common/modes.ts';
import { currency, type VatPart } from '#common/money.ts';
import type { LedgerEntryRecord } from '../ledger/ledger-entry.model.ts';
import { walletIdOf } from '../ledger/move-money.ts';
import { positionBefore, readRun } from '../ledger/read-ledger.ts';
import { type StatementLine, toStatementLine } from '../ledger/transaction.view.ts';

/** VAT of the letters debited in a month less those refunded in it, at one rate. Gross is net plus VAT. */
export type VatSummary = { percent: number; netCents: number; vatCents: number; grossCents: number };

export type StatementHead = {
  month: string;
  mode: Mode;
  currency: typeof currency;
  startsAt: string;
  endsAt: string;
  isFinal: boolean;
  openingBalanceCents: number;
};

/** A part of a statement, in reading order: head, lines in batches, end. */
export type StatementPart =
  | { part: 'head'; head: StatementHead }
  | { part: 'lines'; lines: StatementLine[] }
  | { part: 'end'; vat: VatSummary[]; closingBalanceCents: number; closedAt: string };

/** A movement in flight at midnight is in the ledger, with its time, well within this. */
const settledAfterMs = 60_000;

/** A month as a range of ledger entries: after number `from`, up to and including number `to`. */
export type StatementRun = { head: StatementHead; walletId: string; from: number; to: number; closedAt: string };

/**
 * Finds the ledger entries of the calendar month `yyyy-mm` in Brussels time, up to `now` if the month is not over.
 * Throws NOT_FOUND for an invalid month and for one that has not started.
 */
export async function findStatementRun(owner: Owner, month: string, now: Date): Promise<StatementRun> {
  const period = readMonth(month);
  if (!period) throw new AppError('NOT_FOUND', { message: 'Name a month as yyyy-mm, such as 2026-03.' });
  const { startsAt, endsAt } = period;
  if (startsAt > now) throw new AppError('NOT_FOUND', { message: `The month ${month} has not begun yet.` });
  const walletId = walletIdOf(owner);
  const [opening, closing] = [await positionBefore(walletId, startsAt), await positionBefore(walletId, endsAt)];
  const isFinal = plusMs(endsAt, settledAfterMs) <= now;
  const openingBalanceCents = opening.balanceCents;
  const times = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
  const head = { month, mode: owner.mode, currency, ...times, isFinal, openingBalanceCents };
  const closedAt = (endsAt < now ? endsAt : now).toISOString();
  return { head, walletId, from: opening.seq, to: closing.seq, closedAt };
}

export type VatTotals = Map<number, { netCents: number; vatCents: number }>;

/**
 * Yields the statement of a wallet for a month; see `findStatementRun`. The opening balance plus all lines is the
 * closing balance, which opens the next month.
 */
export async function* readStatement(owner: Owner, month: string, now: Date): AsyncGenerator<StatementPart> {
  const { head, walletId, from, to, closedAt } = await findStatementRun(owner, month, now);
  yield { part: 'head', head };

  const totals: VatTotals = new Map();
  let balanceCents = head.openingBalanceCents;
  for await (const entries of readRun(walletId, from, to)) {
    balanceCents = entries.reduce((balance, { amountCents }) => balance + amountCents, balanceCents);
    addVat(totals, entries);
    yield { part: 'lines', lines: entries.map(toStatementLine) };
  }
  yield { part: 'end', vat: summarizeVat(totals), closingBalanceCents: balanceCents, closedAt };
}

/** Only letters have VAT: a top-up is not a supply yet, and an adjustment is none. */
function addVat(totals: VatTotals, entries: readonly LedgerEntryRecord[]): void {
  for (const part of entries.flatMap(({ vat }) => vat ?? [])) addVatPart(totals, part);
}

/** Negates the part: a debit is negative in the ledger and a charge in a statement. */
export function addVatPart(totals: VatTotals, { percent, netCents, vatCents }: VatPart): void {
  const total = totals.get(percent) ?? { netCents: 0, vatCents: 0 };
  totals.set(percent, { netCents: total.netCents - netCents, vatCents: total.vatCents - vatCents });
}

export function summarizeVat(totals: VatTotals): VatSummary[] {
  return [...totals]
    .sort(([left], [right]) => left - right)
    .map(([percent, { netCents, vatCents }]) => ({ percent, netCents, vatCents, grossCents: netCents + vatCents }));
}
