import type { Hints } from '../common/platform/queues.ts';
import type { TurnDeps } from '../common/webhooks/delivery-turn.ts';
import { deliveryWork, type EndpointRecord } from '../common/webhooks/endpoint.model.ts';
import { createEndpointSlots, endpointSlots } from '../common/webhooks/endpoint-slots.ts';
import type { Expected } from '../common/webhooks/fan-out-few.ts';
import { leaseIdle } from '../common/webhooks/lease-idle.ts';
import { sendDueDeliveries } from '../common/webhooks/send-due-deliveries.ts';
import { claimedWork, type Run, runClaimed } from './claimed-work.ts';
import type { Handle, WorkerDefinition } from './worker.ts';

export type DeliveryWorker = {
  definition: WorkerDefinition;
  /**
   * Takes an endpoint before there is anything to send; `offer` finds room for it among what the worker does at once.
   */
  summon(expected: Expected, offer: (endpointId: string, work: Handle) => boolean): Promise<string | null>;
};

/**
 * Sends what is due for one endpoint at a time. May run twice for the same delivery when a worker dies between the
 * receiver's answer and its record: the receiver then sees it again, under the same delivery id.
 */
export function webhookDeliveryWorker(deps: TurnDeps & { hints: Hints; leaseMs: number }): DeliveryWorker {
  const { clock, hints, leaseMs } = deps;
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
  async function leave(id: string, closing: AbortSignal): Promise<void> {
    const next = await slots.leave(id);
    if (next !== null) hints.nudge('webhook-delivery', [next]);
    // At the end of this process another one is told at once of what it has left.
    if (again.delete(id) || closing.aborted) hints.nudge('webhook-delivery', [id]);
  }
  const handle: Handle = async (id, context) => {
    const entered = await slots.enter(id);
    // Perhaps just given back, and due anew, while what it held is still being tidied up: not to be missed.
    if (entered === 'busy') again.add(id);
    if (entered !== 'taken') return;
    try {
      await work.handle(id, context);
    } finally {
      await leave(id, context.closing);
    }
  };
  /** `taken` learns the lease at once, or that there is none; the deliveries follow. */
  const handleExpected =
    ({ endpoint, ...handed }: Expected, taken: (token: string | null) => void): Handle =>
    async (id, { closing, signal, log }) => {
      if ((await slots.enter(id, endpoint.organizationId)) !== 'taken') return taken(null);
      try {
        const claim = await leaseIdle(endpoint, clock.now(), leaseMs);
        taken(claim?.token ?? null);
        const run: Run<EndpointRecord> = (held, ending) => sendDueDeliveries(held, deps, ending, handed);
        if (claim) await runClaimed(claim, { run }, { clock, log, closing, signal });
      } finally {
        await leave(id, closing);
      }
    };

  return {
    definition: { ...work, offers: endpointSlots.offered, handle },
    async summon(expected, offer) {
      const { promise: token, resolve, reject } = Promise.withResolvers<string | null>();
      const takeIt: Handle = async (id, context) => {
        try {
          await handleExpected(expected, resolve)(id, context);
        } catch (error) {
          reject(error);
          throw error;
        }
      };
      return offer(expected.endpoint.endpointId, takeIt) ? await token : null;
    },
  };
}
