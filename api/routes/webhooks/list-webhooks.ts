import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aWebhook } from '#api/openapi/examples/webhook-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { listWebhooks } from '#common/webhooks/registry/read-webhooks.ts';
import { webhookStatuses } from '#common/webhooks/registry/webhook.model.ts';
import { toWebhookView, WebhookView } from '#common/webhooks/registry/webhook.schema.ts';

export const listWebhooksRoute = defineRoute({
  method: 'get',
  path: '/v1/webhooks',
  scope: 'read',
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description:
    'Without their secrets. Returns active webhooks, or with `status=disabled` those that you or we disabled.',
  query: z.strictObject({
    status: z.enum(webhookStatuses).default('active'),
    ...listPageQuery({ maxLimit: 100, defaultLimit: 100 }),
  }),
  responses: { 200: listPageOf(WebhookView) },
  errors: [],
  example: { responses: { 200: { data: [aWebhook], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    const page = await listWebhooks(credential, query, cursors);
    return reply(
      200,
      toListPage(page, (webhook) => toWebhookView(webhook, credential)),
    );
  },
});
