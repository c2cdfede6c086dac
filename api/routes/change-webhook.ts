import { changeWebhook } from '../../common/webhooks/change-webhook.ts';
import { toWebhookView, WebhookPatch, WebhookView } from '../../common/webhooks/webhook.schema.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { aWebhook, webhookPath } from '../webhook-examples.ts';

/** Changes what is given: address, kinds, description, or whether it is active. */
export const changeWebhookRoute = defineRoute({
  method: 'patch',
  path: '/v1/webhooks/{id}',
  scope: 'webhooks',
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description: `Changes the fields that are given; \`null\` clears the description. A new \`url\` also counts for what waits:
no request to the old one starts after the answer, and its failures are forgotten.

\`status: disabled\` ends its deliveries as a deletion does: none starts after the answer, and what waited is discarded.
\`status: active\` enables it again, also after we have disabled it; it then counts among the active ones,
100 at most by default, and what was discarded meanwhile can be sent by \`redeliver-failed\`.`,
  params: pathId('wh'),
  body: WebhookPatch,
  responses: { 200: WebhookView },
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  example: {
    params: webhookPath,
    body: { status: 'disabled' },
    responses: { 200: { ...aWebhook, status: 'disabled', disabledReason: 'OWNER' } },
  },

  async handle({ params, body, credential, now }, services) {
    return reply(200, toWebhookView(await changeWebhook(credential, params.id, body, services, now)));
  },
});
