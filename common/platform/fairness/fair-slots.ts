import type { Mode, Owner } from '#common/modes.ts';

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
  /** Stored with the slot, so `release` needs no look-up that could fail. */
  const organizationOf = new Map<string, string>();
  const heldCounts = new Map<string, number>();
  const parked = new Map<string, Map<string, Mode>>();
  let parkedCount = 0;

  function park(id: string, { organizationId, mode }: Owner): void {
    const waiting = parked.get(organizationId) ?? new Map<string, Mode>();
    if (parkedCount >= maxParked || waiting.has(id)) return;
    parked.set(organizationId, waiting.set(id, mode));
    parkedCount += 1;
  }

  function takeParked(organizationId: string): string | null {
    const waiting = parked.get(organizationId);
    if (!waiting) return null;
    const [oldest] = waiting.keys();
    const [live] = waiting.entries().find(([, mode]) => mode === 'live') ?? [];
    const next = live ?? oldest;
    if (next === undefined) return null;
    waiting.delete(next);
    parkedCount -= 1;
    if (waiting.size === 0) parked.delete(organizationId);
    return next;
  }

  return {
    async acquire(id) {
      const owner = await ownerOf(id);
      if (!owner) return 'refused';
      if (organizationOf.has(id)) return 'busy';
      const held = heldCounts.get(owner.organizationId) ?? 0;
      if (held >= perOrganization) {
        park(id, owner);
        return 'parked';
      }
      organizationOf.set(id, owner.organizationId);
      heldCounts.set(owner.organizationId, held + 1);
      return 'acquired';
    },
    release(id) {
      const organizationId = organizationOf.get(id);
      if (organizationId === undefined) return null;
      organizationOf.delete(id);
      const held = (heldCounts.get(organizationId) ?? 1) - 1;
      if (held === 0) heldCounts.delete(organizationId);
      else heldCounts.set(organizationId, held);
      return takeParked(organizationId);
    },
  };
}
