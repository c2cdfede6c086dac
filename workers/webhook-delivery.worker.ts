import type { Config } from '#common/config/config.ts';
import { deliveryWork, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import type { SessionDeps } from '#common/webhooks/sending/endpoint-session.ts';
import { sendDueDeliveries } from '#common/webhooks/sending/send-due-deliveries.ts';
import type { ClaimedWork } from './claimed-work.ts';

/** Hanging endpoints of one organization leave most slots of a process to the others. */
export const endpointsPerOrganization = (slots: number): number => Math.floor(slots / 4);

/**
 * Sends the due deliveries of endpoints. At-least-once: when a worker dies between the receiver's answer and its
 * record, the receiver gets the delivery again under the same id.
 */
export function webhookDeliveryWorker(
  deps: SessionDeps & { concurrency: Config['concurrency'] },
): ClaimedWork<EndpointRecord> {
  const { webhookSlots } = deps.concurrency;
  return {
    slot: deliveryWork,
    // Endpoints, not posts: an endpoint that hangs holds one slot.
    concurrency: webhookSlots,
    perOrganization: endpointsPerOrganization(webhookSlots),
    run: (claim, signals) => sendDueDeliveries(claim, deps, signals),
  };
}
