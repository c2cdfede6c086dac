import { z } from 'zod';
import { aPing, webhookPath } from '#api/openapi/examples/webhook-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { pingWebhook } from '#common/mail-jobs/events/ping-webhook.ts';

const mailJobId = z.string().describe('`ping-…`. This mail job does not exist.');

export const pingWebhookRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/ping',
  scope: 'webhooks',
  operationId: 'pingWebhook',
  summary: 'Send a test event',
  description: `Sends an event of the first kind that the webhook is subscribed to, with the ID of a mail job that does not exist and the
header \`X-Service-Test: true\`. It is signed and delivered like any other event, but with a single attempt. The result
appears in the list of deliveries.`,
  params: pathId('wh'),
  responses: {
    200: z.object({ deliveryId: z.string(), eventId: z.string(), event: z.enum(eventKinds), mailJobId }),
  },
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
  example: { params: webhookPath, responses: { 200: aPing } },
  repeat: 'kept',

  async handle({ params, credential, now }, services) {
    return reply(200, await pingWebhook(credential, params.id, services, now));
  },
});
