import type { Config } from '../common/config/config.ts';
import { deliveryWork, type EndpointRecord } from '../common/webhooks/endpoints/endpoint.model.ts';
import { createEndpointSlots } from '../common/webhooks/endpoints/endpoint-slots.ts';
import type { SessionDeps } from '../common/webhooks/sending/endpoint-session.ts';
import { sendDueDeliveries } from '../common/webhooks/sending/send-due-deliveries.ts';
import { type ClaimDeps, claimedWork } from './claimed-work.ts';
import { withFairSlots } from './with-fair-slots.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Sends the due deliveries of endpoints. At-least-once: when a worker dies between the receiver's answer and its
 * record, the receiver gets the delivery again under the same id.
 */
export function webhookDeliveryWorker(
  deps: SessionDeps & ClaimDeps & { concurrency: Config['concurrency'] },
): WorkerDefinition {
  const { webhookSlots } = deps.concurrency;
  const work = claimedWork<EndpointRecord>(
    {
      slot: deliveryWork,
      // Endpoints, not posts: an endpoint that hangs holds one slot.
      concurrency: webhookSlots,
      run: (claim, signals) => sendDueDeliveries(claim, deps, signals),
    },
    deps,
  );
  return withFairSlots(work, createEndpointSlots(webhookSlots), deps.hints);
}
