import type { Owner } from '#common/modes.ts';
import { createFairSemaphore } from '#common/platform/concurrency/fair-semaphore.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { WorkerDefinition } from './worker.ts';

/** The most work parked in one process. The scanner sends hints again for work beyond this. */
const maxParked = 1_000;

export type FairSlotsOptions = {
  /** The most slots that one organization holds at once. */
  perOrganization: number;
  /** Returns the owner of a piece of work, null when there is none. */
  ownerOf(id: string): Promise<Owner | null>;
  hints: Pick<Hints, 'notify'>;
};

/**
 * Returns the worker with its slots shared between organizations: work beyond an organization's share is parked, so others
 * overtake it. A released slot sends a hint for parked work of the same organization, live work first, then in order of
 * arrival.
 */
export function withFairSlots(
  work: WorkerDefinition,
  { perOrganization, ownerOf, hints }: FairSlotsOptions,
): WorkerDefinition {
  const { queue } = work;
  const permits = createFairSemaphore({
    permits: Number.POSITIVE_INFINITY,
    maxPerGroup: perOrganization,
    maxWaiting: 0,
  });
  const running = new Set<string>();
  /** In order of arrival. */
  const parked = new Map<string, Owner>();
  const hintedWhileBusy = new Set<string>();

  function release(id: string, owner: Owner, closing: AbortSignal): void {
    running.delete(id);
    permits.release(owner);
    const own = [...parked.entries().filter(([, { organizationId }]) => organizationId === owner.organizationId)];
    const [next] = own.find(([, { mode }]) => mode === 'live') ?? own[0] ?? [];
    if (next !== undefined && parked.delete(next)) hints.notify(queue, [next], 0);
    // When this process is stopping, another one must continue.
    if (hintedWhileBusy.delete(id) || closing.aborted) hints.notify(queue, [id], 0);
  }

  return {
    ...work,
    async handle(id, context) {
      const owner = await ownerOf(id);
      if (!owner) return;
      // The work may be released and due again while this process cleans up after it: repeat the hint then.
      if (running.has(id)) hintedWhileBusy.add(id);
      else if (permits.tryAcquire(owner)) {
        running.add(id);
        await work.handle(id, context).finally(() => release(id, owner, context.closing));
      } else if (parked.size < maxParked) parked.set(id, owner);
    },
  };
}
