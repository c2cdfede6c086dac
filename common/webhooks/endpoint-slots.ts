import { LRUCache } from 'lru-cache';
import { Endpoint, type EndpointRecord } from './endpoint.model.ts';

/**
 * Endpoints that one process sends to at once; how many of them one organization may hold, and how many are for what the
 * process itself has just fanned out.
 */
export const endpointSlots = { total: 64, perOrganization: 16, offered: 16 } as const;

/** Endpoints put aside; what is forgotten is hinted at again. */
const maxAside = 1_000;
const maxKnown = 10_000;

export type EndpointSlots = {
  /**
   * Takes a slot for an endpoint: `taken`; `aside` when its organization holds as many as it may, and then it is named
   * by a later `leave`; `busy` when this process has it already; `refused` when nobody knows it. Its organization is
   * looked up unless it is named.
   */
  enter(endpointId: string, organizationId?: string): Promise<'taken' | 'aside' | 'busy' | 'refused'>;
  /** Gives a slot back. Returns an endpoint of the same organization that was put aside, to be hinted at; null if none. */
  leave(endpointId: string): Promise<string | null>;
};

/** Divides a process's slots, so that one organization's endpoints, all of them hanging, leave most to the others. */
export function createEndpointSlots(): EndpointSlots {
  const organizationIds = new LRUCache<string, string>({ max: maxKnown });
  const held = new Map<string, Set<string>>();
  const aside = new Map<string, Set<string>>();
  let asideCount = 0;

  async function organizationOf(endpointId: string): Promise<string | null> {
    const known = organizationIds.get(endpointId);
    if (known) return known;
    const endpoint = await Endpoint.findById(endpointId)
      .select({ organizationId: 1 })
      .lean<Pick<EndpointRecord, 'organizationId'>>();
    if (endpoint) organizationIds.set(endpointId, endpoint.organizationId);
    return endpoint?.organizationId ?? null;
  }

  return {
    async enter(endpointId, knownId) {
      if (knownId !== undefined) organizationIds.set(endpointId, knownId);
      const organizationId = knownId ?? (await organizationOf(endpointId));
      if (!organizationId) return 'refused';
      const own = held.get(organizationId) ?? new Set();
      if (own.has(endpointId)) return 'busy';
      if (own.size >= endpointSlots.perOrganization) {
        const waiting = aside.get(organizationId) ?? new Set();
        if (asideCount < maxAside && !waiting.has(endpointId)) {
          aside.set(organizationId, waiting.add(endpointId));
          asideCount += 1;
        }
        return 'aside';
      }
      held.set(organizationId, own.add(endpointId));
      return 'taken';
    },
    async leave(endpointId) {
      const organizationId = await organizationOf(endpointId);
      if (!organizationId) return null;
      const own = held.get(organizationId);
      own?.delete(endpointId);
      if (own?.size === 0) held.delete(organizationId);
      const waiting = aside.get(organizationId);
      const [next] = waiting ?? [];
      if (!waiting || next === undefined) return null;
      waiting.delete(next);
      asideCount -= 1;
      if (waiting.size === 0) aside.delete(organizationId);
      return next;
    },
  };
}
