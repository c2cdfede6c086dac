import { z } from 'zod';
import { answerReport, reportNote, reportQuery } from '#api/answer-report.ts';
import { deliveryTimesExample } from '#api/openapi/examples/report-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { DeliveryTimesReportView } from '#common/reports/report.view.ts';

export const getDeliveryTimesReport = defineRoute({
  method: 'get',
  path: '/v1/reports/delivery-times',
  scope: 'read',
  operationId: 'getDeliveryTimesReport',
  summary: 'Measure how long letters take',
  description: `Percentiles of the time from \`queued\` to \`posted\` and from \`posted\` to \`delivered\`, of letters that were created in the period
and have finished the stretch. Only registered letters are reported as delivered. Times are whole minutes, rounded down:
above two days to the hour.

${reportNote}`,
  query: z.strictObject(reportQuery),
  responses: { 200: DeliveryTimesReportView },
  otherFormats: { 'text/csv': deliveryTimesExample.csv },
  errors: [],
  example: { query: deliveryTimesExample.query, responses: { 200: deliveryTimesExample.json } },

  async handle(request) {
    const answer = await answerReport('delivery-times', request);
    if ('csv' in answer) return answer.csv;
    const { head, report } = answer;
    return reply(200, { ...head, ...report });
  },
});
