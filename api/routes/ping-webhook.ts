import { z } from 'zod';
import { pingWebhook } from '../../common/mail-jobs/ping-webhook.ts';
import { eventKinds } from '../../common/webhooks/event.model.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { aPing, webhookPath } from '../webhook-examples.ts';

const mailJobId = z.string().describe('`ping-…`: no mail job has this id.');

/** Sends a webhook a test. */
export const pingWebhookRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/ping',
  scope: 'webhooks',
  operationId: 'pingWebhook',
  summary: 'Send a webhook a test',
  description: `An event of the first kind that it is subscribed to, about a mail job that nobody has, with the header
\`X-Service-Test: true\`; signed and delivered like any other, but tried once. Its outcome is among the deliveries.`,
  params: pathId('wh'),
  responses: {
    200: z.object({ deliveryId: z.string(), eventId: z.string(), event: z.enum(eventKinds), mailJobId }),
  },
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
  example: { params: webhookPath, responses: { 200: aPing } },

  async handle({ params, credential, now }, services) {
    return reply(200, await pingWebhook(credential, params.id, services, now));
  },
});
