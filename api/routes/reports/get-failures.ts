import { z } from 'zod';
import { answerReport, reportNote, reportQuery } from '#api/answer-report.ts';
import { failuresExample } from '#api/openapi/examples/report-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { FailuresReportView } from '#common/reports/report.view.ts';

export const getFailuresReport = defineRoute({
  method: 'get',
  path: '/v1/reports/failures',
  scope: 'read',
  operationId: 'getFailuresReport',
  summary: 'Count failed letters by reason',
  description: `Counts the failed letters that were created in the period, by the code of their failure.

${reportNote}`,
  query: z.strictObject(reportQuery),
  responses: { 200: FailuresReportView },
  otherFormats: { 'text/csv': failuresExample.csv },
  errors: [],
  example: { query: failuresExample.query, responses: { 200: failuresExample.json } },

  async handle(request) {
    const answer = await answerReport('failures', request);
    if ('csv' in answer) return answer.csv;
    const { head, report } = answer;
    return reply(200, { ...head, ...report });
  },
});
