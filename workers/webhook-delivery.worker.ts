import type { Hints } from '../common/platform/queues.ts';
import type { TurnDeps } from '../common/webhooks/delivery-turn.ts';
import { deliveryWork, type EndpointRecord } from '../common/webhooks/endpoint.model.ts';
import { createEndpointSlots, endpointSlots } from '../common/webhooks/endpoint-slots.ts';
import { sendDueDeliveries } from '../common/webhooks/send-due-deliveries.ts';
import { claimedWork } from './claimed-work.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Sends what is due for one endpoint at a time. May run twice for the same delivery when a worker dies between the
 * receiver's answer and its record: the receiver then sees it again, under the same delivery id.
 */
export function webhookDeliveryWorker(deps: TurnDeps & { hints: Hints; leaseMs: number }): WorkerDefinition {
  const slots = createEndpointSlots();
  const again = new Set<string>();
  const work = claimedWork<EndpointRecord>(
    {
      slot: deliveryWork,
      // Endpoints, not posts: one that hangs holds one of these.
      concurrency: endpointSlots.total - endpointSlots.offered,
      run: (claim, ending) => sendDueDeliveries(claim, deps, ending),
    },
    deps,
  );
  return {
    ...work,
    offers: endpointSlots.offered,
    async handle(id, context) {
      const entered = await slots.enter(id);
      // Perhaps just given back, and due anew, while what it held is still being tidied up: not to be missed.
      if (entered === 'busy') again.add(id);
      if (entered !== 'taken') return;
      try {
        await work.handle(id, context);
      } finally {
        const next = await slots.leave(id);
        if (next !== null) deps.hints.nudge('webhook-delivery', [next]);
        // At the end of this process another one is told at once of what it has left.
        if (again.delete(id) || context.closing.aborted) deps.hints.nudge('webhook-delivery', [id]);
      }
    },
  };
}
