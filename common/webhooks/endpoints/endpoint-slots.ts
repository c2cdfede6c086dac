import { LRUCache } from 'lru-cache';
import type { Owner } from '#common/modes.ts';
import { createFairSlots, type FairSlots } from '#common/platform/fairness/fair-slots.ts';
import { Endpoint, type EndpointRecord } from './endpoint.model.ts';

/** Endpoints that one process sends to concurrently, in total and for one organization. */
export const endpointSlots = { total: 64, perOrganization: 16 } as const;

const maxCached = 10_000;

/** Shares the slots of a process fairly: hanging endpoints of one organization leave most slots to the others. */
export function createEndpointSlots(): FairSlots {
  const owners = new LRUCache<string, Owner>({ max: maxCached });

  async function ownerOf(endpointId: string): Promise<Owner | null> {
    const cached = owners.get(endpointId);
    if (cached) return cached;
    const endpoint = await Endpoint.findById(endpointId)
      .select({ organizationId: 1, mode: 1 })
      .lean<Pick<EndpointRecord, 'organizationId' | 'mode'>>();
    if (endpoint) owners.set(endpointId, { organizationId: endpoint.organizationId, mode: endpoint.mode });
    return owners.get(endpointId) ?? null;
  }

  return createFairSlots({ perOrganization: endpointSlots.perOrganization, ownerOf });
}
