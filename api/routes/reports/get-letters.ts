import { z } from 'zod';
import { answerReport, reportNote, spanQuery } from '#api/answer-report.ts';
import { lettersExample } from '#api/openapi/examples/report-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { LettersReportView } from '#common/reports/report.view.ts';

export const getLettersReport = defineRoute({
  method: 'get',
  path: '/v1/reports/letters',
  scope: 'read',
  operationId: 'getLettersReport',
  summary: 'Count letters by day and status',
  description: `Counts letters by the day or month in which they were created, and by the status that they have now.

${reportNote}`,
  query: z.strictObject(spanQuery('day')),
  responses: { 200: LettersReportView },
  otherFormats: { 'text/csv': lettersExample.csv },
  errors: [],
  example: { query: lettersExample.query, responses: { 200: lettersExample.json } },

  async handle(request) {
    const answer = await answerReport('letters', request);
    if ('csv' in answer) return answer.csv;
    const { head, interval, report } = answer;
    return reply(200, { ...head, interval, ...report });
  },
});
