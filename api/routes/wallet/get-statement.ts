import { z } from 'zod';
import { aStatement, aStatementAsCsv } from '#api/openapi/examples/account-examples.ts';
import { defineRoute, stream } from '#api/route.ts';
import { readStatement } from '#common/wallet/statements/statement.ts';
import { StatementView, writeStatementCsv, writeStatementJson } from '#common/wallet/statements/statement.view.ts';

const csv = 'text/csv';

export const getStatement = defineRoute({
  method: 'get',
  path: '/v1/wallet/statements/{month}',
  scope: 'wallet',
  operationId: 'getWalletStatement',
  summary: 'Read a monthly statement',
  description: `The month has the format \`yyyy-mm\`, in Brussels time. Invalid and future months are \`NOT_FOUND\`. The current month is
returned so far, with \`isFinal\` false. The opening balance plus all lines equals the closing balance, which is the
opening balance of the next month.

\`vat\` is the total of the letters debited in the month minus the refunds of the month, by VAT rate. A refund counts in the
month in which it was paid, whenever its letter was sent, so the total of a rate can be negative. A refund is split by rate
like its letter, and all refunds of a letter together equal its VAT. Net and VAT of all rates add up to exactly what debits
and refunds took from the wallet. Top-ups and adjustments carry no VAT.

For CSV (RFC 4180, UTF-8) use \`format=csv\` or \`Accept: text/csv\`. \`format\` takes precedence. The first column of each
record is its type: \`opening\`, \`line\`, \`vat\` or \`closing\`. Text that a spreadsheet would read as a formula starts with an
apostrophe.

Statements are streamed. If the connection breaks, the statement is incomplete: discard it and request it again.`,
  params: z.object({ month: z.string().meta({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$', description: '`yyyy-mm`' }) }),
  query: z.strictObject({
    format: z.enum(['json', 'csv']).optional().describe('Takes precedence over the `Accept` header.'),
  }),
  responses: { 200: StatementView },
  otherFormats: { [csv]: aStatementAsCsv },
  errors: ['NOT_FOUND'],
  example: { params: { month: aStatement.month }, responses: { 200: aStatement } },

  async handle({ params: { month }, query, accepted, credential, now }) {
    const parts = readStatement(credential, month, now);
    const isCsv = query.format === undefined ? accepted === csv : query.format === 'csv';
    if (!isCsv) return stream('application/json', writeStatementJson(parts));
    return stream(csv, writeStatementCsv(parts), `statement-${month}-${credential.mode}.csv`);
  },
});
