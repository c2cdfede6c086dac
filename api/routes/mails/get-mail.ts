import { aMailJob } from '#api/openapi/examples/letter-examples.ts';
import { mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readMailJob } from '#common/mail-jobs/read/read-mail-jobs.ts';
import { MailDetail, toMailDetail } from '#common/mail-jobs/views/mail-job.view.ts';

export const getMail = defineRoute({
  method: 'get',
  path: '/v1/mails/{id}',
  scope: 'read',
  operationId: 'getMail',
  summary: 'Read a mail job',
  params: pathId('mj'),
  responses: { 200: MailDetail },
  errors: ['NOT_FOUND'],
  example: { params: mailJobPath, responses: { 200: aMailJob } },

  async handle({ params, credential, now }) {
    const job = await readMailJob(credential, params.id);
    return reply(200, toMailDetail(job, { ...credential, at: now }));
  },
});
