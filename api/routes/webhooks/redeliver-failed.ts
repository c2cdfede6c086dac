import { z } from 'zod';
import { webhookPath } from '#api/openapi/examples/webhook-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { Moment } from '#common/fields/moment.schema.ts';
import { redeliverFailed } from '#common/webhooks/console/redeliver.ts';

const redelivered = z.int().min(0).describe('Number of deliveries that will be sent again, at most 10,000.');
const hasMore = z.boolean().describe('Whether there are more. Repeat the request to send them.');

export const redeliverFailedRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/redeliver-failed',
  scope: 'webhooks',
  operationId: 'redeliverFailed',
  summary: 'Send failed and discarded deliveries again',
  description: `Sends every delivery created since \`since\` that has used up its attempts or was discarded while the webhook was disabled.
\`since\` can be up to 14 days ago. Each delivery gets one attempt and keeps its \`X-Service-Delivery\`.`,
  params: pathId('wh'),
  body: z
    .strictObject({ since: Moment.describe('ISO 8601 with offset, within the last 14 days.') })
    .meta({ id: 'RedeliverFailedRequest' }),
  responses: { 200: z.object({ redelivered, hasMore }) },
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
  example: {
    params: webhookPath,
    body: { since: '2026-03-01T00:00:00.000Z' },
    responses: { 200: { redelivered: 12, hasMore: false } },
  },
  repeat: 'kept',

  async handle({ params, body, credential, now }, services) {
    return reply(200, await redeliverFailed(credential, params.id, body.since, services, now));
  },
});
