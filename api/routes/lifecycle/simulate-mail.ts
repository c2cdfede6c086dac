import { z } from 'zod';
import { mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import { simulateMailJob } from '#common/sandbox/advance/simulate-mail-job.ts';

const MailStatus = z.enum(mailStatuses);

export const simulateMail = defineRoute({
  method: 'post',
  path: '/v1/mails/{id}/simulate',
  scope: 'send',
  mode: 'test',
  operationId: 'simulateMail',
  summary: 'Advance a sandbox mail job',
  description:
    'Moves the job one step along `queued`, `printed`, `posted`, `delivered`, or with `to` directly to any later status. Only the event of the reached status is sent. Automatic steps then pause for ten minutes.',
  params: pathId('mj'),
  body: z.strictObject({ to: MailStatus.exclude(['queued']).nullish() }).default({}),
  responses: { 200: z.object({ mailJobId: z.string(), previousStatus: MailStatus, status: MailStatus }) },
  errors: ['NOT_FOUND', 'CONFLICT'],
  example: {
    params: mailJobPath,
    body: { to: 'posted' },
    responses: { 200: { mailJobId: mailJobPath.id, previousStatus: 'queued', status: 'posted' } },
  },
  repeat: 'kept',

  async handle({ params, body, credential, now }, services) {
    return reply(200, await simulateMailJob(credential, params.id, body.to ?? undefined, services, now));
  },
});
