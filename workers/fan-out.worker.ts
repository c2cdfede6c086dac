import type { Clock } from '../common/clock.ts';
import { createBatcher } from '../common/platform/batching/create-batcher.ts';
import { markHinted } from '../common/platform/due-work/due-work.ts';
import type { Pauses } from '../common/platform/due-work/pauses.ts';
import type { Log } from '../common/platform/process/log.ts';
import type { Hints } from '../common/platform/redis/queues.ts';
import type { DeliveryMetrics } from '../common/webhooks/deliveries/delivery-metrics.ts';
import { deliveryWork } from '../common/webhooks/endpoints/endpoint.model.ts';
import { fanOutDue } from '../common/webhooks/fan-out/fan-out-due.ts';
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

/**
 * Fans out all due events, whichever event a hint names. Idempotent: deliveries are unique by event and endpoint.
 */
export function fanOutWorker({ hints, letterMetrics, pauses, ...deps }: FanOutWorkerDeps): WorkerDefinition {
  const { log } = deps;

  /** Returns whether no due event is left. Once this process is stopping it stops after the current round. */
  async function fanOutAll(closing: readonly AbortSignal[]): Promise<boolean> {
    const pending = new Set<string>();
    let hintedAtMs = performance.now();
    const collectHints = (endpointIds: readonly string[], isMore: boolean) => {
      for (const id of endpointIds) pending.add(id);
      if (isMore && performance.now() - hintedAtMs < maxHintDelayMs) return;
      sendHints([...pending]);
      pending.clear();
      hintedAtMs = performance.now();
    };
    const mayGoOn = async () =>
      !closing.some(({ aborted }) => aborted) && !(await pauses.read()).of('fan-out').isPaused;
    let isMore = true;
    while (isMore && (await mayGoOn()))
      isMore = await fanOutDue({ ...deps, hint: collectHints, onFannedOut: letterMetrics.observePrinted });
    collectHints([], false);
    return !isMore;
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

  /** Hints that arrive during a run share the one after it, which sees all their events. */
  const join = createBatcher<AbortSignal, boolean>({
    maxItems: Number.POSITIVE_INFINITY,
    async run(closing) {
      const isComplete = await fanOutAll(closing);
      return closing.map(() => isComplete);
    },
  });

  return {
    queue: 'fan-out',
    concurrency: 20,
    async handle(event, { closing }) {
      const isComplete = await join(closing);
      // When this process is stopping, another one must continue. After a pause, the scanner sends a hint.
      if (!isComplete && closing.aborted) hints.notify('fan-out', [event]);
    },
  };
}
