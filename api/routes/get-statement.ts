import { z } from 'zod';
import { readOlderVat } from '../../common/mail-jobs/read-older-vat.ts';
import { readStatement } from '../../common/wallet/statement.ts';
import { StatementView, writeStatementCsv, writeStatementJson } from '../../common/wallet/statement.view.ts';
import { aStatement, aStatementAsCsv } from '../examples.ts';
import { defineRoute, stream } from '../route.ts';

const csv = 'text/csv';

/** A month of the caller's wallet, sent while it is read. */
export const getStatement = defineRoute({
  method: 'get',
  path: '/v1/wallet/statements/{month}',
  scope: 'wallet',
  operationId: 'getWalletStatement',
  summary: 'Read the statement of a month',
  description: `The month is \`yyyy-mm\` by the calendar of Brussels. One that has not begun, or is none, is \`NOT_FOUND\`; the present one
is answered as far as it goes, with \`isFinal\` false. Opening balance and lines add up to the closing balance, with which
the next month opens.

\`vat\` sums up the letters debited in the month less the refunds of the month, by VAT rate: a refund counts in the month in
which it was paid, whenever its letter was sent, so a rate may be negative. It splits by rate as its letter did; all
refunds of a letter together are exactly its VAT. Net and VAT of all rates are exactly what debits and refunds took from
the wallet. Top-ups and adjustments have no VAT.

As CSV (RFC 4180, UTF-8) with \`format=csv\` or \`Accept: text/csv\`; \`format\` wins. Each record says in its first column what it
is: \`opening\`, \`line\`, \`vat\` or \`closing\`. Text that a spreadsheet would take for a formula begins with an apostrophe.

A long statement is sent while it is read. One that is cut off has no proper end: take it for nothing, and ask again.`,
  params: z.object({ month: z.string().meta({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$', description: '`yyyy-mm`' }) }),
  query: z.strictObject({
    format: z.enum(['json', 'csv']).optional().describe('Goes before the header Accept.'),
  }),
  responses: { 200: StatementView },
  otherFormats: { [csv]: aStatementAsCsv },
  errors: ['NOT_FOUND'],
  example: { params: { month: aStatement.month }, responses: { 200: aStatement } },

  async handle({ params: { month }, query, accepted, credential, now }) {
    const parts = readStatement(credential, month, now, readOlderVat);
    const isCsv = query.format === undefined ? accepted === csv : query.format === 'csv';
    if (!isCsv) return stream('application/json', writeStatementJson(parts));
    return stream(csv, writeStatementCsv(parts), `statement-${month}-${credential.mode}.csv`);
  },
});
