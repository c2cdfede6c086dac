import { z } from 'zod';
import { Moment } from '../../common/moment.schema.ts';
import { redeliverFailed } from '../../common/webhooks/redeliver.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { webhookPath } from '../webhook-examples.ts';

const redelivered = z.int().min(0).describe('Deliveries that will be sent again, 10,000 at most.');
const hasMore = z.boolean().describe('There are more: ask again.');

/** Sends again all that a webhook has lost since a moment. */
export const redeliverFailedRoute = defineRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/redeliver-failed',
  scope: 'webhooks',
  operationId: 'redeliverFailed',
  summary: 'Send again what failed or was discarded',
  description: `Every delivery created since then, 14 days back at most, whose attempts are used up, or that was discarded while the
webhook was disabled. Each is tried once, under its old \`X-Service-Delivery\`.`,
  params: pathId('wh'),
  body: z
    .strictObject({ since: Moment.describe('With offset, in the last 14 days.') })
    .meta({ id: 'RedeliverFailedRequest' }),
  responses: { 200: z.object({ redelivered, hasMore }) },
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
  example: {
    params: webhookPath,
    body: { since: '2026-03-01T00:00:00.000Z' },
    responses: { 200: { redelivered: 12, hasMore: false } },
  },

  async handle({ params, body, credential, now }, services) {
    return reply(200, await redeliverFailed(credential, params.id, body.since, services, now));
  },
});
