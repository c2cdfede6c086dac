import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aDelivery, webhookPath } from '#api/openapi/examples/webhook-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { deliveryStates } from '#common/webhooks/deliveries/delivery.model.ts';
import { DeliveryView, toDeliveryView } from '#common/webhooks/deliveries/delivery.view.ts';
import { listDeliveries } from '#common/webhooks/deliveries/list-deliveries.ts';

export const listDeliveriesRoute = defineRoute({
  method: 'get',
  path: '/v1/webhooks/{id}/deliveries',
  scope: 'read',
  operationId: 'listDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Deliveries of the last 90 days, newest first, with their attempts and the time of the next attempt.',
  params: pathId('wh'),
  query: z.strictObject({
    status: z.enum(deliveryStates).optional(),
    event: z.enum(eventKinds).optional(),
    mailJobId: lineOfText(100).optional(),
    ...listPageQuery({ maxLimit: 100, defaultLimit: 20 }),
  }),
  responses: { 200: listPageOf(DeliveryView) },
  errors: ['NOT_FOUND'],
  example: { params: webhookPath, responses: { 200: { data: [aDelivery], hasMore: false, nextCursor: null } } },

  async handle({ params, query: { status: state, ...query }, credential }, { cursors }) {
    const page = await listDeliveries(credential, params.id, { ...query, state }, cursors);
    return reply(200, toListPage(page, toDeliveryView));
  },
});
