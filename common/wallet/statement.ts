import { readMonth } from '../calendar.ts';
import { plusMs } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Mode, Owner } from '../modes.ts';
import { currency, type VatPart } from '../money.ts';
import type { LedgerEntryRecord } from './ledger-entry.model.ts';
import { walletIdOf } from './move-money.ts';
import { positionBefore, readRun } from './read-ledger.ts';
import { type StatementLine, toStatementLine } from './transaction.view.ts';

/** VAT of the letters debited in a month, less what was refunded in it, at one rate. Gross is net and VAT together. */
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

/** A statement in the order in which it is read: its head, its lines in batches, its end. */
export type StatementPart =
  | { part: 'head'; head: StatementHead }
  | { part: 'lines'; lines: StatementLine[] }
  | { part: 'end'; vat: VatSummary[]; closingBalanceCents: number; closedAt: string };

/** Splits the amounts of entries that were written without their VAT, by entry id. */
export type ReadOlderVat = (entries: readonly LedgerEntryRecord[]) => Promise<Map<string, readonly VatPart[]>>;

/** A movement that was under way at midnight is in the ledger, with its time, well within this. */
const settledAfterMs = 60_000;

/**
 * The statement of a wallet for a month of Brussels' calendar, `yyyy-mm`, up to `now` when that is not over. Opening
 * balance and lines add up to the closing balance, which opens the next month: a month is a run of the ledger.
 * Throws NOT_FOUND for what is no month, and for one that has not begun.
 */
export async function* readStatement(
  owner: Owner,
  month: string,
  now: Date,
  readOlderVat: ReadOlderVat,
): AsyncGenerator<StatementPart> {
  const period = readMonth(month);
  if (!period) throw new AppError('NOT_FOUND', { message: 'Name a month as yyyy-mm, such as 2026-03.' });
  const { startsAt, endsAt } = period;
  if (startsAt > now) throw new AppError('NOT_FOUND', { message: `The month ${month} has not begun yet.` });
  const walletId = walletIdOf(owner);
  const [opening, closing] = [await positionBefore(walletId, startsAt), await positionBefore(walletId, endsAt)];
  const isFinal = plusMs(endsAt, settledAfterMs) <= now;
  const openingBalanceCents = opening.balanceCents;
  const times = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
  yield { part: 'head', head: { month, mode: owner.mode, currency, ...times, isFinal, openingBalanceCents } };

  const totals = new Map<number, { netCents: number; vatCents: number }>();
  let balanceCents = openingBalanceCents;
  for await (const entries of readRun(walletId, opening.seq, closing.seq)) {
    balanceCents = entries.reduce((balance, { amountCents }) => balance + amountCents, balanceCents);
    await addVat(totals, entries, readOlderVat);
    yield { part: 'lines', lines: entries.map(toStatementLine) };
  }
  const closedAt = (endsAt < now ? endsAt : now).toISOString();
  yield { part: 'end', vat: summarize(totals), closingBalanceCents: balanceCents, closedAt };
}

/** Only letters have VAT: what is paid into a wallet is not a supply yet, and an adjustment is none. */
async function addVat(
  totals: Map<number, { netCents: number; vatCents: number }>,
  entries: readonly LedgerEntryRecord[],
  readOlderVat: ReadOlderVat,
): Promise<void> {
  const without = entries.filter(({ mailJobId, vat }) => mailJobId !== null && vat === undefined);
  const older = without.length > 0 ? await readOlderVat(without) : undefined;
  for (const { _id, vat = older?.get(_id) } of entries) {
    for (const part of vat ?? []) {
      const total = totals.get(part.percent) ?? { netCents: 0, vatCents: 0 };
      // A debit is negative in the ledger and a charge here.
      total.netCents -= part.netCents;
      total.vatCents -= part.vatCents;
      totals.set(part.percent, total);
    }
  }
}

function summarize(totals: ReadonlyMap<number, { netCents: number; vatCents: number }>): VatSummary[] {
  return [...totals]
    .sort(([left], [right]) => left - right)
    .map(([percent, { netCents, vatCents }]) => ({ percent, netCents, vatCents, grossCents: netCents + vatCents }));
}
