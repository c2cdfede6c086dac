import { z } from 'zod';
import { aWebhook, exampleSecret, webhookRequest } from '#api/openapi/examples/webhook-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { readWebhook } from '#common/webhooks/registry/read-webhooks.ts';
import { toWebhookView, WebhookRequest, WebhookView } from '#common/webhooks/registry/webhook.schema.ts';

/** What the answer to a repeat has in place of the secret, which is not stored for it. */
export const noSecret = {
  secret: null,
  message: 'Only the first answer had the secret. POST /v1/webhooks/{id}/rotate-secret makes a new one.',
};
export const noSecretFields = { secret: z.null(), message: z.string().describe('How to get a new secret.') };

export const createWebhookRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks',
  scope: 'webhooks',
  operationId: 'createWebhook',
  summary: 'Create a webhook',
  description: 'Only this response contains the signing secret. Store it.',
  body: WebhookRequest,
  responses: { 201: WebhookView.extend({ secret: z.string() }), 200: WebhookView.extend(noSecretFields) },
  errors: ['LIMIT_REACHED'],
  example: {
    body: webhookRequest,
    responses: { 201: { ...aWebhook, secret: exampleSecret }, 200: { ...aWebhook, ...noSecret } },
  },
  repeat: async ({ credential }, _services, id) => ({
    ...toWebhookView(await readWebhook(credential, id), credential),
    ...noSecret,
  }),

  async handle({ body, credential, now, claim }, services) {
    const { record, secret } = await createWebhook(credential, body, services, now, credential.actor, claim);
    return reply(201, { ...toWebhookView(record, credential), secret });
  },
});
