import { z } from 'zod';
import { lineOfText } from '../../common/text.schema.ts';
import { deliveryStates } from '../../common/webhooks/delivery.model.ts';
import { DeliveryView, toDeliveryView } from '../../common/webhooks/delivery.view.ts';
import { eventKinds } from '../../common/webhooks/event.model.ts';
import { listDeliveries } from '../../common/webhooks/list-deliveries.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { aDelivery, webhookPath } from '../webhook-examples.ts';

/** What a webhook was sent, and what it answered, newest first. */
export const listDeliveriesRoute = defineRoute({
  method: 'get',
  path: '/v1/webhooks/{id}/deliveries',
  scope: 'read',
  operationId: 'listDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first; those of the last 90 days, with their attempts and the time of the next one.',
  params: pathId('wh'),
  query: z.strictObject({
    state: z.enum(deliveryStates).optional(),
    event: z.enum(eventKinds).optional(),
    mailJobId: lineOfText(100).optional(),
    ...pageQuery({ maxLimit: 100, defaultLimit: 20 }),
  }),
  responses: { 200: pageOf(DeliveryView) },
  errors: ['NOT_FOUND'],
  example: { params: webhookPath, responses: { 200: { data: [aDelivery], hasMore: false, nextCursor: null } } },

  async handle({ params, query, credential }, { cursors }) {
    return reply(200, toPage(await listDeliveries(credential, params.id, query, cursors), toDeliveryView));
  },
});
