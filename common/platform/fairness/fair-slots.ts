import type { Owner } from '#common/modes.ts';
import { createFairSemaphore } from './fair-semaphore.ts';

/** The most work parked in one process. The scanner sends hints again for work beyond this. */
const maxParked = 1_000;

export type FairSlotsOptions = {
  /** The most slots that one organization holds at once. */
  perOrganization: number;
  /** Returns the owner of a piece of work, null when there is none. */
  ownerOf(id: string): Promise<Owner | null>;
};

/** Divides the slots of one worker process between organizations. */
export type FairSlots = {
  /**
   * Acquires a slot for a piece of work. `parked`: the organization holds its full share, and a later `release` returns
   * it. `busy`: this process already works on it. `refused`: it has no owner.
   */
  acquire(id: string): Promise<'acquired' | 'parked' | 'busy' | 'refused'>;
  /**
   * Releases a slot. Returns parked work of the same organization to send a hint for, live work first, then in order of
   * arrival. Null if there is none.
   */
  release(id: string): string | null;
};

/** Creates slots that one organization cannot exhaust: work beyond its share is parked, so others overtake it. */
export function createFairSlots({ perOrganization, ownerOf }: FairSlotsOptions): FairSlots {
  const permits = createFairSemaphore({
    permits: Number.POSITIVE_INFINITY,
    maxPerGroup: perOrganization,
    maxWaiting: 0,
  });
  /** Stored with the slot, so `release` needs no look-up that could fail. */
  const owners = new Map<string, Owner>();
  /** In order of arrival. */
  const parked = new Map<string, Owner>();

  function takeParked({ organizationId }: Owner): string | null {
    const own = [...parked.entries().filter(([, owner]) => owner.organizationId === organizationId)];
    const [id] = own.find(([, { mode }]) => mode === 'live') ?? own[0] ?? [];
    if (id === undefined) return null;
    parked.delete(id);
    return id;
  }

  return {
    async acquire(id) {
      const owner = await ownerOf(id);
      if (!owner) return 'refused';
      if (owners.has(id)) return 'busy';
      if (!permits.tryAcquire(owner)) {
        if (parked.size < maxParked) parked.set(id, owner);
        return 'parked';
      }
      owners.set(id, owner);
      return 'acquired';
    },
    release(id) {
      const owner = owners.get(id);
      if (!owner) return null;
      owners.delete(id);
      permits.release(owner);
      return takeParked(owner);
    },
  };
}
