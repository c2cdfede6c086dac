import type { EntryKind } from './entry-kind.ts';
import type { StatementHead, StatementPart, VatSummary } from './statement.ts';
import type { StatementLine } from './transaction.view.ts';

/** A statement that fits on a page: its first lines, and sums over all of them. */
export type StatementSummary = StatementHead & {
  lines: readonly StatementLine[];
  lineCount: number;
  /** What each kind has moved, signed as in the ledger: the opening balance and all of them are the closing one. */
  sumsCents: Readonly<Record<EntryKind, number>>;
  vat: readonly VatSummary[];
  closingBalanceCents: number;
};

/** Reads a statement to its end and keeps `maxLines` of its lines: a long month takes time here, but no memory. */
export async function readStatementSummary(
  parts: AsyncIterable<StatementPart>,
  maxLines: number,
): Promise<StatementSummary> {
  let head: StatementHead | undefined;
  const lines: StatementLine[] = [];
  let lineCount = 0;
  const sumsCents = { debit: 0, refund: 0, top_up: 0, adjustment: 0 };
  for await (const part of parts) {
    if (part.part === 'head') head = part.head;
    if (part.part === 'lines') {
      lineCount += part.lines.length;
      lines.push(...part.lines.slice(0, maxLines - lines.length));
      for (const { kind, amountCents } of part.lines) sumsCents[kind as EntryKind] += amountCents;
    }
    if (part.part === 'end' && head) {
      const { vat, closingBalanceCents } = part;
      return { ...head, lines, lineCount, sumsCents, vat, closingBalanceCents };
    }
  }
  throw new Error('A statement without an end');
}
