import type { Hints } from '../common/platform/redis/queues.ts';
import { deliveryWork, type EndpointRecord } from '../common/webhooks/endpoints/endpoint.model.ts';
import { createEndpointSlots, endpointSlots } from '../common/webhooks/endpoints/endpoint-slots.ts';
import type { SessionDeps } from '../common/webhooks/sending/endpoint-session.ts';
import { sendDueDeliveries } from '../common/webhooks/sending/send-due-deliveries.ts';
import { claimedWork } from './claimed-work.ts';
import { withFairSlots } from './with-fair-slots.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Sends the due deliveries of endpoints. At-least-once: when a worker dies between the receiver's answer and its
 * record, the receiver gets the delivery again under the same id.
 */
export function webhookDeliveryWorker(deps: SessionDeps & { hints: Hints; leaseMs: number }): WorkerDefinition {
  const work = claimedWork<EndpointRecord>(
    {
      slot: deliveryWork,
      // Endpoints, not posts: an endpoint that hangs holds one slot.
      concurrency: endpointSlots.total,
      run: (claim, signals) => sendDueDeliveries(claim, deps, signals),
    },
    deps,
  );
  return withFairSlots(work, createEndpointSlots(), deps.hints);
}
