import { idOf, type RowRef } from '#common/ids.ts';
import type { Mode, Owner } from '#common/modes.ts';

/** The most work parked in one process. The scanner sends hints again for work beyond this. */
const maxParked = 1_000;

export type FairSlotsOptions = {
  /** The most slots that one organization holds at once. */
  perOrganization: number;
  /** Returns the owner of a piece of work, null when there is none. */
  ownerOf(row: RowRef): Promise<Owner | null>;
};

/** Divides the slots of one worker process between organizations. */
export type FairSlots = {
  /**
   * Acquires a slot for a piece of work. `parked`: the organization holds its full share, and a later `release` returns
   * it. `busy`: this process already works on it. `refused`: it has no owner.
   */
  acquire(row: RowRef): Promise<'acquired' | 'parked' | 'busy' | 'refused'>;
  /**
   * Releases a slot. Returns parked work of the same organization to send a hint for, live work first, then in order of
   * arrival. Null if there is none.
   */
  release(id: string): RowRef | null;
};

/** Creates slots that one organization cannot exhaust: work beyond its share is parked, so others overtake it. */
export function createFairSlots({ perOrganization, ownerOf }: FairSlotsOptions): FairSlots {
  /** Stored with the slot, so `release` needs no look-up that could fail. */
  const organizationOf = new Map<string, string>();
  const heldCounts = new Map<string, number>();
  const parked = new Map<string, Map<string, { row: RowRef; mode: Mode }>>();
  let parkedCount = 0;

  function park(row: RowRef, { organizationId, mode }: Owner): void {
    const waiting = parked.get(organizationId) ?? new Map<string, { row: RowRef; mode: Mode }>();
    if (parkedCount >= maxParked || waiting.has(idOf(row))) return;
    parked.set(organizationId, waiting.set(idOf(row), { row, mode }));
    parkedCount += 1;
  }

  function takeParked(organizationId: string): RowRef | null {
    const waiting = parked.get(organizationId);
    if (!waiting) return null;
    const [oldest] = waiting.values();
    const live = waiting.values().find(({ mode }) => mode === 'live');
    const next = (live ?? oldest)?.row;
    if (next === undefined) return null;
    waiting.delete(idOf(next));
    parkedCount -= 1;
    if (waiting.size === 0) parked.delete(organizationId);
    return next;
  }

  return {
    async acquire(row) {
      const id = idOf(row);
      const owner = await ownerOf(row);
      if (!owner) return 'refused';
      if (organizationOf.has(id)) return 'busy';
      const held = heldCounts.get(owner.organizationId) ?? 0;
      if (held >= perOrganization) {
        park(row, owner);
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
