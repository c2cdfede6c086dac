import { z } from 'zod';
import { createWebhook } from '../../common/webhooks/create-webhook.ts';
import { toWebhookView, WebhookRequest, WebhookView } from '../../common/webhooks/webhook.schema.ts';
import { defineRoute, reply } from '../route.ts';

/** Registers an address for events. Its signing secret is in this answer alone. */
export const createWebhookRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks',
  scope: 'webhooks',
  summary: 'Register a webhook',
  body: WebhookRequest,
  responses: { 201: WebhookView.extend({ secret: z.string() }) },
  errors: ['LIMIT_REACHED'],

  async handle({ body, credential, now }, services) {
    const { record, secret } = await createWebhook(credential, body, services, now);
    return reply(201, { ...toWebhookView(record), secret });
  },
});
