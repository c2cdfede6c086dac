import type { Owner } from '#common/modes.ts';
import type { VatPart } from '#common/money.ts';
import { type EntryKind, entryKinds, LedgerEntry, type LedgerEntryRecord } from '../ledger/ledger-entry.model.ts';
import { type StatementLine, toStatementLine } from '../ledger/transaction.view.ts';
import {
  addVatPart,
  findStatementRun,
  type StatementHead,
  type StatementRun,
  summarizeVat,
  type VatSummary,
  type VatTotals,
} from './statement.ts';

/** A statement short enough for one page: its first lines, and totals over all of them. */
export type StatementSummary = StatementHead & {
  lines: readonly StatementLine[];
  lineCount: number;
  /** Total by kind, signed as in the ledger. The opening balance plus all totals is the closing balance. */
  sumsCents: Readonly<Record<EntryKind, number>>;
  vat: readonly VatSummary[];
  closingBalanceCents: number;
};

/** The index for a range of `seq` in one wallet. */
const byNumber = { walletId: 1, seq: 1 } as const;

/**
 * Returns a month's statement like `readStatement`, with only its first `maxLines` lines. MongoDB computes the totals,
 * so a long month needs no memory here. Throws NOT_FOUND as `findStatementRun` does.
 */
export async function readStatementSummary(
  owner: Owner,
  month: string,
  now: Date,
  { maxLines }: { maxLines: number },
): Promise<StatementSummary> {
  const run = await findStatementRun(owner, month, now);
  const [entries, sums, totals] = await Promise.all([
    LedgerEntry.find(entriesOf(run)).sort({ seq: 1 }).limit(maxLines).lean<LedgerEntryRecord[]>(),
    sumKinds(run),
    sumVat(run),
  ]);
  const centsOf = new Map(sums.map(({ _id, cents }) => [_id, cents]));
  const sumsCents = Object.fromEntries(entryKinds.map((kind) => [kind, centsOf.get(kind) ?? 0]));
  return {
    ...run.head,
    lines: entries.map(toStatementLine),
    lineCount: sums.reduce((all, { count }) => all + count, 0),
    sumsCents: sumsCents as Record<EntryKind, number>,
    vat: summarizeVat(totals),
    closingBalanceCents: sums.reduce((balance, { cents }) => balance + cents, run.head.openingBalanceCents),
  };
}

const entriesOf = ({ walletId, from, to }: StatementRun) => ({ walletId, seq: { $gt: from, $lte: to } });

async function sumKinds(run: StatementRun): Promise<{ _id: EntryKind; cents: number; count: number }[]> {
  return await LedgerEntry.aggregate([
    { $match: entriesOf(run) },
    { $group: { _id: '$kind', cents: { $sum: '$amountCents' }, count: { $sum: 1 } } },
  ]).hint(byNumber);
}

async function sumVat(run: StatementRun): Promise<VatTotals> {
  const totals: VatTotals = new Map();
  const sums = await LedgerEntry.aggregate<VatPart>([
    { $match: { ...entriesOf(run), vat: { $exists: true } } },
    { $unwind: '$vat' },
    {
      $group: { _id: '$vat.percent', netCents: { $sum: '$vat.netCents' }, vatCents: { $sum: '$vat.vatCents' } },
    },
    { $project: { _id: 0, percent: '$_id', netCents: 1, vatCents: 1 } },
  ]).hint(byNumber);
  for (const sum of sums) addVatPart(totals, sum);
  return totals;
}
