import { z } from 'zod';
import { answerReport, reportNote, spanQuery } from '#api/answer-report.ts';
import { spendExample } from '#api/openapi/examples/report-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { currency } from '#common/money.ts';
import { SpendReportView } from '#common/reports/report.view.ts';

export const getSpendReport = defineRoute({
  method: 'get',
  path: '/v1/reports/spend',
  scope: 'read',
  operationId: 'getSpendReport',
  summary: 'Sum what letters cost by month',
  description: `Sums debits and refunds of letters, in whole cents, from the transactions of the wallet. A refund counts when it was paid,
whenever its letter was sent, as in statements. Top-ups and adjustments are not included.

${reportNote}`,
  query: z.strictObject(spanQuery('month')),
  responses: { 200: SpendReportView },
  otherFormats: { 'text/csv': spendExample.csv },
  errors: [],
  example: { query: spendExample.query, responses: { 200: spendExample.json } },

  async handle(request) {
    const answer = await answerReport('spend', request);
    if ('csv' in answer) return answer.csv;
    const { head, interval, report } = answer;
    return reply(200, { ...head, interval, currency, ...report });
  },
});
