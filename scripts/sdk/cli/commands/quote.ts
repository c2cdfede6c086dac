import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { UsageError } from '../program/failure.ts';
import { count, euros, table } from '../program/output.ts';
import { letterFlags, readLetterFlags } from './letter-flags.ts';

/** `quote` prices a letter. */
export const quoteCommand: Command = {
  name: 'quote',
  summary: 'Show what a letter costs.',
  flags: {
    pages: { value: 'N', help: 'Pages of the letter. Default: 1.' },
    recipients: { value: 'N', help: 'Recipients of the letter. Default: 1.' },
    ...letterFlags,
    zone: { ...letterFlags.zone, help: 'Default: NATIONAL.' },
  },
  examples: ['bluejay quote --pages 3 --service registered', 'bluejay quote --zone INTERNATIONAL --json'],
  async run(context) {
    const { out, signal } = context;
    const pages = readNumber(context.text('pages') ?? '1', '--pages');
    const recipientCount = readNumber(context.text('recipients') ?? '1', '--recipients');
    const { bluejay } = await connect(context);
    const body = { zone: 'NATIONAL' as const, ...readLetterFlags(context), pages, recipientCount };
    const quote = await bluejay.quotes.create(body, { signal });
    out.result(quote, () => [
      ...table(
        [
          ...quote.lines.map((line) => [
            line.description,
            `${line.quantity} ×`,
            euros(line.unitCents),
            euros(line.netCents),
          ]),
          ['VAT', '', '', euros(quote.vatCents)],
          ['Total', '', '', euros(quote.totalCents)],
        ],
        [1, 2, 3],
      ),
      `${count(quote.sheets, 'sheet')}, ${quote.weightGrams} g, ${count(quote.recipientCount, 'recipient')}`,
    ]);
  },
};

/** Reads a positive whole number. Throws UsageError. */
export function readNumber(text: string, flag: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${flag} must be a whole number from 1, not "${text}".`);
  return Number(text);
}
