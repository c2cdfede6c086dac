import { aWebhook, webhookPath } from '#api/openapi/examples/webhook-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readWebhook } from '#common/webhooks/registry/read-webhooks.ts';
import { toWebhookView, WebhookView } from '#common/webhooks/registry/webhook.schema.ts';

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
    return reply(200, toWebhookView(await readWebhook(credential, params.id), credential));
  },
});
