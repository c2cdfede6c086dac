import { aCancelledJob } from '#api/openapi/examples/letter-examples.ts';
import { mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { MailDetail, toMailDetail } from '#common/mail-jobs/views/mail-job.view.ts';
import { redactMailJob } from '#common/production/retention/redact-mail-job.ts';

const { refunds: _, ...aFailedJob } = aCancelledJob;

export const redactMail = defineRoute({
  method: 'post',
  path: '/v1/mails/{id}/redact',
  scope: 'send',
  operationId: 'redactMail',
  summary: 'Remove the document and the people of a letter',
  description:
    'For a letter that has reached its last status: `delivered`, `failed`, or `posted` without registration. A registered letter that is `posted` counts too when all its copies came back or were delivered, or after 60 days without a report. Its print file and its metadata are removed, the cells of its row in a bulk are emptied, and recipients, sender and file names are replaced by `REDACTED`, except the country. This cannot be undone. The amounts, the ledger, `externalId` and tracking numbers stay.',
  params: pathId('mj'),
  responses: { 200: MailDetail },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: mailJobPath, responses: { 200: aFailedJob } },
  repeat: 'rerun',

  async handle({ params, credential, now }, { store, log }) {
    const job = await redactMailJob(credential, params.id, { store, log }, now);
    return reply(200, toMailDetail(job, { ...credential, at: now }));
  },
});
