import { aMailJob } from '#api/openapi/examples/letter-examples.ts';
import { mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { changeMailJob, MailPatch } from '#common/mail-jobs/lifecycle/change-mail-job.ts';
import { MailDetail, toMailDetail } from '#common/mail-jobs/views/mail-job.view.ts';

export const changeMail = defineRoute({
  method: 'patch',
  path: '/v1/mails/{id}',
  scope: 'send',
  operationId: 'changeMail',
  summary: 'Change when a letter is posted, or its metadata',
  description:
    'JSON merge patch (RFC 7396): absent fields stay unchanged. Possible as long as the letter can be cancelled; `NOT_CANCELLABLE` afterwards. A letter moves to another cutoff at most 50 times; `CONFLICT` beyond that.',
  params: pathId('mj'),
  body: MailPatch,
  responses: { 200: MailDetail },
  errors: ['NOT_FOUND', 'NOT_CANCELLABLE', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: mailJobPath, body: { metadata: { invoice: '2026-0117' } }, responses: { 200: aMailJob } },

  async handle({ params, body, credential, now }, services) {
    const job = await changeMailJob(credential, { mailJobId: params.id, patch: body }, services, now);
    return reply(200, toMailDetail(job, { ...credential, at: now }));
  },
});
