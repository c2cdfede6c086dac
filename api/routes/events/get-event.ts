import { anEventDetail } from '#api/openapi/examples/webhook-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { EventDetail, toEventDetail } from '#common/webhooks/console/event.view.ts';
import { readEvent } from '#common/webhooks/console/read-events.ts';

export const getEvent = defineRoute({
  method: 'get',
  path: '/v1/events/{id}',
  scope: 'read',
  operationId: 'getEvent',
  summary: 'Read an event',
  description:
    "Includes the body exactly as it is delivered, and all deliveries. A delivery to a mail job's own `webhookUrl` belongs to no webhook.",
  params: pathId('evt'),
  responses: { 200: EventDetail },
  errors: ['NOT_FOUND'],
  example: { params: { id: anEventDetail.id }, responses: { 200: anEventDetail } },

  async handle({ params, credential }) {
    const { event, deliveries } = await readEvent(credential, params.id);
    return reply(200, toEventDetail(event, deliveries));
  },
});
