import { LRUCache } from 'lru-cache';
import type { Owner } from '#common/modes.ts';
import { createFairSlots, type FairSlots } from '#common/platform/fairness/fair-slots.ts';
import { Endpoint, type EndpointRecord } from './endpoint.model.ts';

/** Of the endpoints that a process sends to concurrently, those of one organization are at most this part. */
const organizationShare = 1 / 4;

const maxCached = 10_000;

/** Shares the `total` slots of a process fairly: hanging endpoints of one organization leave most slots to the others. */
export function createEndpointSlots(total: number): FairSlots {
  const owners = new LRUCache<string, Owner>({ max: maxCached });

  async function ownerOf(endpointId: string): Promise<Owner | null> {
    const cached = owners.get(endpointId);
    if (cached) return cached;
    const found = await Endpoint.findById(endpointId)
      .select({ organizationId: 1, mode: 1 })
      .lean<Pick<EndpointRecord, 'organizationId' | 'mode'>>();
    if (found) owners.set(endpointId, { organizationId: found.organizationId, mode: found.mode });
    return owners.get(endpointId) ?? null;
  }

  return createFairSlots({ perOrganization: Math.floor(total * organizationShare), ownerOf });
}
