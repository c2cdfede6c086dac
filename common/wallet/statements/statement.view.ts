import { z } from 'zod';
import { type CsvCell, csvRecord } from '#common/csv.ts';
import { modes } from '#common/modes.ts';
import { currency } from '#common/money.ts';
import { StatementLine } from '../ledger/transaction.view.ts';
import type { StatementPart } from './statement.ts';

const VatSummary = z.object({
  percent: z.number(),
  netCents: z.int(),
  vatCents: z.int(),
  grossCents: z.int().describe('Net and VAT together.'),
});

/** The statement of a month, as JSON. */
export const StatementView = z
  .object({
    month: z.string(),
    mode: z.enum(modes),
    currency: z.literal(currency),
    startsAt: z.iso.datetime().describe('Midnight in Brussels; inclusive.'),
    endsAt: z.iso.datetime().describe('Midnight in Brussels; exclusive.'),
    isFinal: z.boolean().describe('Whether the month is over: false until a minute after its end.'),
    openingBalanceCents: z.int(),
    lines: z.array(StatementLine).describe('Every transaction of the month, the first one first.'),
    vat: z.array(VatSummary).describe('Letters debited less those refunded in the month, by VAT rate.'),
    closingBalanceCents: z.int().describe('The opening balance and all lines together.'),
  })
  .meta({ id: 'WalletStatement' });
export type StatementView = z.input<typeof StatementView>;

/** Yields a `StatementView` as JSON text, streamed part by part. */
export async function* writeStatementJson(parts: AsyncIterable<StatementPart>): AsyncGenerator<string> {
  let separator = '';
  for await (const each of parts) {
    if (each.part === 'head') yield `${JSON.stringify(each.head).slice(0, -1)},"lines":[`;
    if (each.part === 'lines') {
      yield separator + each.lines.map((line) => JSON.stringify(line)).join(',');
      separator = ',';
    }
    if (each.part === 'end') {
      const { vat, closingBalanceCents } = each;
      yield `],${JSON.stringify({ vat, closingBalanceCents }).slice(1)}`;
    }
  }
}

const columns = [
  'record',
  'createdAt',
  'seq',
  'transactionId',
  'kind',
  'amountCents',
  'balanceCents',
  'mailJobId',
  'itemId',
  'reference',
  'reason',
  'vatPercent',
  'netCents',
  'vatCents',
  'grossCents',
] as const;

/** Writes a record with all columns; those that do not apply are empty. */
function record(fields: Partial<Record<(typeof columns)[number], CsvCell>>): string {
  return csvRecord(columns.map((column) => fields[column] ?? null));
}

/**
 * Yields the statement as CSV: one `opening` record, a `line` per transaction, a `vat` per rate, one `closing` record.
 */
export async function* writeStatementCsv(parts: AsyncIterable<StatementPart>): AsyncGenerator<string> {
  for await (const each of parts) {
    if (each.part === 'head') {
      const { startsAt: createdAt, openingBalanceCents: balanceCents } = each.head;
      yield csvRecord(columns) + record({ record: 'opening', createdAt, balanceCents });
    }
    if (each.part === 'lines') {
      yield each.lines
        .map(({ balanceAfterCents: balanceCents, ...line }) => record({ record: 'line', balanceCents, ...line }))
        .join('');
    }
    if (each.part === 'end') {
      const { vat, closedAt: createdAt, closingBalanceCents: balanceCents } = each;
      const rates = vat.map(({ percent: vatPercent, ...sums }) => record({ record: 'vat', vatPercent, ...sums }));
      yield rates.join('') + record({ record: 'closing', createdAt, balanceCents });
    }
  }
}
