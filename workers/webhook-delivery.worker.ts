import { deliveryWork, type EndpointRecord } from '../common/webhooks/endpoint.model.ts';
import { type DeliveryDeps, sendDueDeliveries } from '../common/webhooks/send-due-deliveries.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Sends what is due for one endpoint at a time. May run twice for the same delivery when a worker dies between the
 * receiver's answer and its record: the receiver then sees it again, under the same delivery id.
 */
export function webhookDeliveryWorker(deps: DeliveryDeps): WorkerDefinition<EndpointRecord> {
  return {
    slot: deliveryWork,
    // Endpoints, not posts: one that hangs holds one of these.
    concurrency: 64,
    run: (claim, { signal }) => sendDueDeliveries(claim, deps, signal),
  };
}
