import { z } from 'zod';
import { deleteWebhook } from '../../common/webhooks/delete-webhook.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { webhookPath } from '../webhook-examples.ts';

/** Ends a webhook at once: no delivery to it starts after the answer. */
export const deleteWebhookRoute = defineRoute({
  method: 'delete',
  path: '/v1/webhooks/{id}',
  scope: 'webhooks',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'At once: no delivery to it starts after the answer.',
  params: pathId('wh'),
  responses: { 200: z.object({ id: z.string(), deleted: z.literal(true) }) },
  errors: ['NOT_FOUND'],
  example: { params: webhookPath, responses: { 200: { ...webhookPath, deleted: true } } },

  async handle({ params, credential, now }) {
    await deleteWebhook(credential, params.id, now);
    return reply(200, { id: params.id, deleted: true });
  },
});
