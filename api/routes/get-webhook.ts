import { readWebhook } from '../../common/webhooks/read-webhook.ts';
import { toWebhookView, WebhookView } from '../../common/webhooks/webhook.schema.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { aWebhook, webhookPath } from '../webhook-examples.ts';

/** A webhook without its secret, active or disabled. */
export const getWebhook = defineRoute({
  method: 'get',
  path: '/v1/webhooks/{id}',
  scope: 'read',
  operationId: 'getWebhook',
  summary: 'Read a webhook',
  params: pathId('wh'),
  responses: { 200: WebhookView },
  errors: ['NOT_FOUND'],
  example: { params: webhookPath, responses: { 200: aWebhook } },

  async handle({ params, credential }) {
    return reply(200, toWebhookView(await readWebhook(credential, params.id)));
  },
});
