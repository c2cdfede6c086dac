import { z } from 'zod';
import { mailStatuses } from '../../common/mail-jobs/lifecycle.ts';
import { simulateMailJob } from '../../common/mail-jobs/simulate-mail-job.ts';
import { mailJobPath } from '../examples.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';

const MailStatus = z.enum(mailStatuses);

/** Moves a sandbox mail job one step, or straight to `to`. */
export const simulateMail = defineRoute({
  method: 'post',
  path: '/v1/mails/{id}/simulate',
  scope: 'send',
  mode: 'test',
  operationId: 'simulateMail',
  summary: 'Move a sandbox mail job along its lifecycle',
  description:
    'One step along queued, printed, posted, delivered; with `to` straight to any status ahead. Only the event of the status that is reached is sent. Automatic steps then pause for ten minutes.',
  params: pathId('mj'),
  body: z.strictObject({ to: MailStatus.exclude(['queued']).nullish() }).default({}),
  responses: { 200: z.object({ mailJobId: z.string(), previousStatus: MailStatus, status: MailStatus }) },
  errors: ['NOT_FOUND', 'CONFLICT'],
  example: {
    params: mailJobPath,
    body: { to: 'posted' },
    responses: { 200: { mailJobId: mailJobPath.id, previousStatus: 'queued', status: 'posted' } },
  },

  async handle({ params, body, credential, now }, services) {
    return reply(200, await simulateMailJob(credential, params.id, body.to ?? undefined, services, now));
  },
});
