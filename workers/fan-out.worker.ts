import type { Clock } from '../common/clock.ts';
import type { Hints } from '../common/platform/queues.ts';
import { type EventRecord, fanOutWork } from '../common/webhooks/event.model.ts';
import { fanOut } from '../common/webhooks/fan-out.ts';
import type { WorkerDefinition } from './worker.ts';

/** Turns events into deliveries. May run twice for one event: a delivery is unique for event and endpoint. */
export function fanOutWorker({ clock, hints }: { clock: Clock; hints: Hints }): WorkerDefinition<EventRecord> {
  return {
    slot: fanOutWork,
    concurrency: 20,
    async run(claim) {
      const endpointIds = await fanOut(claim, clock.now());
      if (endpointIds.length > 0) hints.nudge('webhook-delivery', endpointIds);
    },
  };
}
