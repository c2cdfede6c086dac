import { aWebhook, webhookPath } from '#api/openapi/examples/webhook-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { changeWebhook } from '#common/webhooks/console/change-webhook.ts';
import { toWebhookView, WebhookPatch, WebhookView } from '#common/webhooks/registry/webhook.schema.ts';

export const changeWebhookRoute = defineRoute({
  method: 'patch',
  path: '/v1/webhooks/{id}',
  scope: 'webhooks',
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description: `Changes the given fields. \`null\` clears the description. A new \`url\` also applies to waiting deliveries: no request
to the old URL starts after the response, and its failure count is reset.

\`status: disabled\` stops deliveries: none starts after the response, and waiting ones are discarded.
\`status: active\` enables the webhook again, even if we disabled it. It then counts towards the limit of active webhooks,
100 by default. Use \`redeliver-failed\` to send deliveries that were discarded in the meantime.`,
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
    const changed = await changeWebhook(credential, params.id, body, services, now, credential.actor);
    return reply(200, toWebhookView(changed, credential));
  },
});
