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

/** A month as a run of the ledger: its entries are those after number `from` up to number `to`. */
export type StatementRun = { head: StatementHead; walletId: string; from: number; to: number; closedAt: string };

/**
 * Finds a month of Brussels' calendar, `yyyy-mm`, up to `now` when that is not over, in a wallet's ledger.
 * Throws NOT_FOUND for what is no month, and for one that has not begun.
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

/** Net and VAT in cents by rate. */
export type VatTotals = Map<number, { netCents: number; vatCents: number }>;

/**
 * The statement of a wallet for a month, as `findStatementRun` has it. Opening balance and lines add up to the closing
 * balance, which opens the next month.
 */
export async function* readStatement(
  owner: Owner,
  month: string,
  now: Date,
  readOlderVat: ReadOlderVat,
): AsyncGenerator<StatementPart> {
  const { head, walletId, from, to, closedAt } = await findStatementRun(owner, month, now);
  yield { part: 'head', head };

  const totals: VatTotals = new Map();
  let balanceCents = head.openingBalanceCents;
  for await (const entries of readRun(walletId, from, to)) {
    balanceCents = entries.reduce((balance, { amountCents }) => balance + amountCents, balanceCents);
    await addVat(totals, entries, readOlderVat);
    yield { part: 'lines', lines: entries.map(toStatementLine) };
  }
  yield { part: 'end', vat: summarizeVat(totals), closingBalanceCents: balanceCents, closedAt };
}

/** Only letters have VAT: what is paid into a wallet is not a supply yet, and an adjustment is none. */
export async function addVat(
  totals: VatTotals,
  entries: readonly LedgerEntryRecord[],
  readOlderVat: ReadOlderVat,
): Promise<void> {
  const without = entries.filter(({ mailJobId, vat }) => mailJobId !== null && vat === undefined);
  const older = without.length > 0 ? await readOlderVat(without) : undefined;
  for (const { _id, vat = older?.get(_id) } of entries) {
    for (const part of vat ?? []) {
      addVatPart(totals, part);
    }
  }
}

/** A debit is negative in the ledger and a charge here. */
export function addVatPart(totals: VatTotals, { percent, netCents, vatCents }: VatPart): void {
  const total = totals.get(percent) ?? { netCents: 0, vatCents: 0 };
  totals.set(percent, { netCents: total.netCents - netCents, vatCents: total.vatCents - vatCents });
}

export function summarizeVat(totals: VatTotals): VatSummary[] {
  return [...totals]
    .sort(([left], [right]) => left - right)
    .map(([percent, { netCents, vatCents }]) => ({ percent, netCents, vatCents, grossCents: netCents + vatCents }));
}
