import type { FairSlots } from '../common/platform/fairness/fair-slots.ts';
import type { Hints } from '../common/platform/redis/queues.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Returns the worker with its slots shared fairly: a hint beyond an organization's share is parked, and sent again when
 * a slot is released.
 */
export function withFairSlots(work: WorkerDefinition, slots: FairSlots, hints: Hints): WorkerDefinition {
  const { queue } = work;
  const hintedWhileBusy = new Set<string>();

  function release(id: string, closing: AbortSignal): void {
    const next = slots.release(id);
    if (next !== null) hints.notify(queue, [next]);
    // When this process is stopping, another one must continue.
    if (hintedWhileBusy.delete(id) || closing.aborted) hints.notify(queue, [id]);
  }

  return {
    ...work,
    async handle(id, context) {
      const result = await slots.acquire(id);
      // The work may be released and due again while this process cleans up after it: repeat the hint then.
      if (result === 'busy') hintedWhileBusy.add(id);
      if (result !== 'acquired') return;
      try {
        await work.handle(id, context);
      } finally {
        release(id, context.closing);
      }
    },
  };
}
