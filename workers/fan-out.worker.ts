import type { Clock } from '../common/clock.ts';
import { markHinted } from '../common/platform/due-work.ts';
import type { Log } from '../common/platform/log.ts';
import type { Hints } from '../common/platform/queues.ts';
import type { DeliveryMetrics } from '../common/webhooks/delivery-metrics.ts';
import { deliveryWork } from '../common/webhooks/endpoint.model.ts';
import { fanOutDue } from '../common/webhooks/fan-out-due.ts';
import type { Summon } from '../common/webhooks/fan-out-few.ts';
import type { WorkerDefinition } from './worker.ts';

export type FanOutWorkerDeps = {
  clock: Clock;
  hints: Hints;
  log: Log;
  metrics: DeliveryMetrics;
  leaseMs: number;
  /** Has an endpoint sent to by this very process, at once; false when it has no room for it. */
  offer(endpointId: string): boolean;
  /** Has an endpoint taken by this very process. */
  summon: Summon;
};

/**
 * While more events wait than one round takes, endpoints are told after this time: each then sends by the hundred what
 * it would else send by twos and threes, at several times the cost.
 */
const maxUntoldMs = 1_000;

/**
 * Turns events into deliveries: all that are due, whichever a hint names. May run twice for one event: a delivery is
 * unique for event and endpoint.
 */
export function fanOutWorker({ hints, offer, ...deps }: FanOutWorkerDeps): WorkerDefinition {
  const { log } = deps;
  let round: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;

  /** Whether all that was due has been taken: told to end, it ends after the round under way. */
  async function takeAll(closing: AbortSignal): Promise<boolean> {
    const untold = new Set<string>();
    let toldMs = performance.now();
    const tellTogether = (endpointIds: readonly string[], isMore: boolean) => {
      for (const id of endpointIds) untold.add(id);
      if (isMore && performance.now() - toldMs < maxUntoldMs) return;
      tell([...untold]);
      untold.clear();
      toldMs = performance.now();
    };
    let isMore = true;
    while (isMore && !closing.aborted) isMore = await fanOutDue({ ...deps, tell: tellTogether });
    tellTogether([], false);
    return !isMore;
  }
  const begin = (closing: AbortSignal): Promise<boolean> => {
    round = takeAll(closing).finally(() => {
      round = null;
    });
    return round;
  };
  /** Redis may be away: then the scanner tells them, once they no longer count as told. */
  function tell(toldIds: readonly string[]): void {
    const endpointIds = toldIds.filter((id) => !offer(id));
    if (endpointIds.length === 0) return;
    const hintsToSend = endpointIds.map((id) => ({ queue: 'webhook-delivery' as const, id, delayMs: 0 }));
    hints
      .add(hintsToSend)
      .catch(() => markHinted(deliveryWork, endpointIds, null))
      .catch((error: unknown) => log.warn({ err: error }, 'hints not taken back'));
  }

  /** Hints that come while a round is under way share the one after it, which sees what they are about. */
  function join(closing: AbortSignal): Promise<boolean> {
    if (!round) return begin(closing);
    next ??= round
      .catch(() => {})
      .then(() => {
        next = null;
        return begin(closing);
      });
    return next;
  }

  return {
    queue: 'fan-out',
    concurrency: 20,
    async handle(id, { closing }) {
      const isThrough = await join(closing);
      // At the end of this process another one is told at once of what it has left.
      if (!isThrough) hints.nudge('fan-out', [id]);
    },
  };
}
