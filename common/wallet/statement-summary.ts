import type { Owner } from '../modes.ts';
import type { VatPart } from '../money.ts';
import { type EntryKind, entryKinds } from './entry-kind.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import {
  addVat,
  addVatPart,
  findStatementRun,
  type ReadOlderVat,
  type StatementHead,
  type StatementRun,
  summarizeVat,
  type VatSummary,
  type VatTotals,
} from './statement.ts';
import { type StatementLine, toStatementLine } from './transaction.view.ts';

/** A statement that fits on a page: its first lines, and sums over all of them. */
export type StatementSummary = StatementHead & {
  lines: readonly StatementLine[];
  lineCount: number;
  /** What each kind has moved, signed as in the ledger: the opening balance and all of them are the closing one. */
  sumsCents: Readonly<Record<EntryKind, number>>;
  vat: readonly VatSummary[];
  closingBalanceCents: number;
};

/** A ledger by its numbers: a run of it is a range. */
const byNumber = { walletId: 1, seq: 1 } as const;
/** Entries without their VAT that are looked into at once. */
const olderAtOnce = 500;

/**
 * A month's statement, as `readStatement` has it, with its first `maxLines` lines. The database adds the others up: a
 * long month costs neither memory here nor a place among the requests. Throws NOT_FOUND as `findStatementRun` does.
 */
export async function readStatementSummary(
  owner: Owner,
  month: string,
  now: Date,
  { maxLines, readOlderVat }: { maxLines: number; readOlderVat: ReadOlderVat },
): Promise<StatementSummary> {
  const run = await findStatementRun(owner, month, now);
  const [entries, sums, totals] = await Promise.all([
    LedgerEntry.find(entriesOf(run)).sort({ seq: 1 }).limit(maxLines).lean<LedgerEntryRecord[]>(),
    sumKinds(run),
    sumVat(run, readOlderVat),
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

async function sumVat(run: StatementRun, readOlderVat: ReadOlderVat): Promise<VatTotals> {
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
  // Those of letters that were written before entries carried it.
  const older = { ...entriesOf(run), mailJobId: { $ne: null }, vat: { $exists: false } };
  let after = run.from;
  for (let isMore = true; isMore; ) {
    const entries = await LedgerEntry.find({ ...older, seq: { $gt: after, $lte: run.to } })
      .sort({ seq: 1 })
      .hint(byNumber)
      .limit(olderAtOnce)
      .lean<LedgerEntryRecord[]>();
    await addVat(totals, entries, readOlderVat);
    after = entries.at(-1)?.seq ?? run.to;
    isMore = entries.length === olderAtOnce;
  }
  return totals;
}
