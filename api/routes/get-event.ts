import { EventDetail, toEventDetail } from '../../common/webhooks/event.view.ts';
import { readEvent } from '../../common/webhooks/read-events.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { anEventDetail } from '../webhook-examples.ts';

/** An event, its body exactly as it is delivered, and what became of its deliveries. */
export const getEvent = defineRoute({
  method: 'get',
  path: '/v1/events/{id}',
  scope: 'read',
  operationId: 'getEvent',
  summary: 'Read an event',
  description:
    "With the body exactly as it is delivered, and its deliveries, also that to a mail job's own `webhookUrl`, which belongs to no webhook.",
  params: pathId('evt'),
  responses: { 200: EventDetail },
  errors: ['NOT_FOUND'],
  example: { params: { id: anEventDetail.id }, responses: { 200: anEventDetail } },

  async handle({ params, credential }) {
    const { event, deliveries } = await readEvent(credential, params.id);
    return reply(200, toEventDetail(event, deliveries));
  },
});
