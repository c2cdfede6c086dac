import { z } from 'zod';
import { DeliveryView, toDeliveryView } from '../../common/webhooks/delivery.view.ts';
import { redeliver } from '../../common/webhooks/redeliver.ts';
import { idOf } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';
import { aRedelivery, webhookPath } from '../webhook-examples.ts';

/** Sends a delivery again, now. */
export const redeliverDelivery = defineRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  scope: 'webhooks',
  operationId: 'redeliverDelivery',
  summary: 'Send a delivery again',
  description: `At once, whatever became of it, to the present \`url\` of its webhook: with the same \`X-Service-Delivery\` and body, and
the next \`X-Service-Attempt\`. When this attempt fails, nothing follows by itself, unless the delivery was waiting for an
automatic attempt: then it has only come sooner.`,
  params: z.object({ id: idOf('wh'), deliveryId: idOf('whd') }),
  responses: { 200: DeliveryView },
  meanings: { 200: 'It waits to be sent; its attempts so far.' },
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED', 'DELIVERY_IN_FLIGHT'],
  example: { params: { ...webhookPath, deliveryId: aRedelivery.id }, responses: { 200: aRedelivery } },

  async handle({ params, credential, now }, services) {
    return reply(200, toDeliveryView(await redeliver(credential, params.id, params.deliveryId, services, now)));
  },
});
