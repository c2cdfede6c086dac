import { z } from 'zod';
import { createWebhook } from '../../common/webhooks/create-webhook.ts';
import { toWebhookView, WebhookRequest, WebhookView } from '../../common/webhooks/webhook.schema.ts';
import { defineRoute, reply } from '../route.ts';
import { aWebhook, exampleSecret, webhookRequest } from '../webhook-examples.ts';

/** Registers an address for events. Its signing secret is in this answer alone. */
export const createWebhookRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks',
  scope: 'webhooks',
  operationId: 'createWebhook',
  summary: 'Register a webhook',
  description: 'The signing secret is in this answer alone: keep it.',
  body: WebhookRequest,
  responses: { 201: WebhookView.extend({ secret: z.string() }) },
  errors: ['LIMIT_REACHED'],
  example: { body: webhookRequest, responses: { 201: { ...aWebhook, secret: exampleSecret } } },

  async handle({ body, credential, now }, services) {
    const { record, secret } = await createWebhook(credential, body, services, now);
    return reply(201, { ...toWebhookView(record), secret });
  },
});
