import { z } from 'zod';
import { aRedelivery, webhookPath } from '#api/openapi/examples/webhook-examples.ts';
import { idOf } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readDelivery, redeliver } from '#common/webhooks/console/redeliver.ts';
import { DeliveryView, toDeliveryView } from '#common/webhooks/deliveries/delivery.view.ts';

export const redeliverDelivery = defineRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  scope: 'webhooks',
  operationId: 'redeliverDelivery',
  summary: 'Send a delivery again',
  description: `Sends the delivery immediately, whatever its status, to the current \`url\` of its webhook, with the same
\`X-Service-Delivery\` and body and the next \`X-Service-Attempt\`. If this attempt fails, there is no automatic retry, unless
the delivery was waiting for one: then this attempt replaces it and the schedule continues.`,
  params: z.object({ id: idOf('wh'), deliveryId: idOf('whd') }),
  responses: { 200: DeliveryView },
  meanings: { 200: 'The delivery is waiting to be sent. Includes its attempts so far.' },
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED', 'DELIVERY_IN_FLIGHT'],
  example: { params: { ...webhookPath, deliveryId: aRedelivery.id }, responses: { 200: aRedelivery } },
  repeat: async ({ params, credential }) =>
    toDeliveryView(await readDelivery(credential, params.id, params.deliveryId)),

  async handle({ params, credential, now }, services) {
    return reply(200, toDeliveryView(await redeliver(credential, params.id, params.deliveryId, services, now)));
  },
});
