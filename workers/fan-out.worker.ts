import type { Clock } from '#common/clock.ts';
import { markHinted } from '#common/platform/due-work/due-work.ts';
import type { Pauses } from '#common/platform/due-work/pauses.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { DeliveryMetrics } from '#common/webhooks/deliveries/delivery-metrics.ts';
import { deliveryWork } from '#common/webhooks/endpoints/endpoint.model.ts';
import { fanOutDue } from '#common/webhooks/fan-out/fan-out-due.ts';
import { drainWorker } from './drain-worker.ts';
import type { LetterMetrics } from './process/letter-metrics.ts';
import type { WorkerDefinition } from './worker.ts';

export type FanOutWorkerDeps = {
  clock: Clock;
  hints: Hints;
  log: Log;
  metrics: DeliveryMetrics;
  letterMetrics: LetterMetrics;
  leaseMs: number;
  pauses: Pauses;
};

/**
 * Maximum delay of hints while more events are due. Delayed hints let endpoints send full batches instead of two or
 * three deliveries at a time, at a fraction of the cost per delivery.
 */
const maxHintDelayMs = 1_000;

/** Fans out all due events. Idempotent: deliveries are unique by event and endpoint. */
export function fanOutWorker({ letterMetrics, pauses, ...deps }: FanOutWorkerDeps): WorkerDefinition {
  const { hints, log } = deps;

  function begin() {
    const pending = new Set<string>();
    let hintedAtMs = performance.now();
    const send = () => {
      sendHints([...pending]);
      pending.clear();
      hintedAtMs = performance.now();
    };
    const collectHints = (endpointIds: readonly string[], isMore: boolean) => {
      for (const id of endpointIds) pending.add(id);
      if (!isMore || performance.now() - hintedAtMs >= maxHintDelayMs) send();
    };
    const onFannedOut = letterMetrics.observePrinted;
    return { round: () => fanOutDue({ ...deps, hint: collectHints, onFannedOut }), end: send };
  }
  /** When Redis is unavailable, clears `hintedAt`, and the scanner sends the hints. */
  function sendHints(endpointIds: readonly string[]): void {
    if (endpointIds.length === 0) return;
    const hintsToSend = endpointIds.map((id) => ({ queue: 'webhook-delivery' as const, id, delayMs: 0 }));
    hints
      .add(hintsToSend)
      .catch(() => markHinted(deliveryWork, endpointIds, null))
      .catch((error: unknown) => log.warn({ err: error }, 'hints not reset'));
  }

  return drainWorker('fan-out', begin, { hints, pauses });
}
