import { z } from 'zod';
import { aWebhook, exampleSecret, webhookRequest } from '#api/openapi/webhook-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { toWebhookView, WebhookRequest, WebhookView } from '#common/webhooks/registry/webhook.schema.ts';

export const createWebhookRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks',
  scope: 'webhooks',
  operationId: 'createWebhook',
  summary: 'Create a webhook',
  description: 'Only this response contains the signing secret. Store it.',
  body: WebhookRequest,
  responses: { 201: WebhookView.extend({ secret: z.string() }) },
  errors: ['LIMIT_REACHED'],
  example: { body: webhookRequest, responses: { 201: { ...aWebhook, secret: exampleSecret } } },

  async handle({ body, credential, now }, services) {
    const { record, secret } = await createWebhook(credential, body, services, now, credential.actor);
    return reply(201, { ...toWebhookView(record, credential), secret });
  },
});
