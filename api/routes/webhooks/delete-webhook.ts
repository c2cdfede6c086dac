import { z } from 'zod';
import { webhookPath } from '#api/openapi/examples/webhook-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { deleteWebhook } from '#common/webhooks/console/delete-webhook.ts';

export const deleteWebhookRoute = defineRoute({
  method: 'delete',
  path: '/v1/webhooks/{id}',
  scope: 'webhooks',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Takes effect immediately: no delivery starts after the response.',
  params: pathId('wh'),
  responses: { 200: z.object({ id: z.string(), deleted: z.literal(true) }) },
  errors: ['NOT_FOUND'],
  example: { params: webhookPath, responses: { 200: { ...webhookPath, deleted: true } } },

  async handle({ params, credential, now }) {
    await deleteWebhook(credential, params.id, now, credential.actor);
    return reply(200, { id: params.id, deleted: true });
  },
});
