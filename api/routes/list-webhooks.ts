import { z } from 'zod';
import { listWebhooks } from '../../common/webhooks/list-webhooks.ts';
import { webhookStatuses } from '../../common/webhooks/webhook.model.ts';
import { toWebhookView, WebhookView } from '../../common/webhooks/webhook.schema.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, reply } from '../route.ts';
import { aWebhook } from '../webhook-examples.ts';

/** The caller's webhooks without their secrets; the active ones unless asked otherwise. */
export const listWebhooksRoute = defineRoute({
  method: 'get',
  path: '/v1/webhooks',
  scope: 'read',
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Without their secrets; the active ones, or those that were disabled, by you or by us.',
  query: z.strictObject({
    status: z.enum(webhookStatuses).default('active'),
    ...pageQuery({ maxLimit: 100, defaultLimit: 100 }),
  }),
  responses: { 200: pageOf(WebhookView) },
  errors: [],
  example: { responses: { 200: { data: [aWebhook], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toPage(await listWebhooks(credential, query, cursors), toWebhookView));
  },
});
