import { idOf, type RowRef } from '../common/ids.ts';
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

  function release(row: RowRef, closing: AbortSignal): void {
    const next = slots.release(idOf(row));
    if (next !== null) hints.notify(queue, [next]);
    // When this process is stopping, another one must continue.
    if (hintedWhileBusy.delete(idOf(row)) || closing.aborted) hints.notify(queue, [row]);
  }

  return {
    ...work,
    async handle(row, context) {
      const result = await slots.acquire(row);
      // The work may be released and due again while this process cleans up after it: repeat the hint then.
      if (result === 'busy') hintedWhileBusy.add(idOf(row));
      if (result !== 'acquired') return;
      try {
        await work.handle(row, context);
      } finally {
        release(row, context.closing);
      }
    },
  };
}
