import { LRUCache } from 'lru-cache';
import { Organization, type OrganizationRecord } from './organization.model.ts';

/** A changed limit reaches every process within this time, as that of a key does. */
const cacheTtlMs = 30_000;

/**
 * Requests per minute of an organization and mode, null for the default: over all its credentials, without keys whose own
 * limit is as large and not below the default.
 */
export type OrganizationQuota = { readsPerMinute: number | null; writesPerMinute: number | null };

/** Returns a function that reads the request quotas which an operator has set for an organization, with a cache. */
export function createQuotaReader(): (organizationId: string) => Promise<OrganizationQuota> {
  const cache = new LRUCache<string, OrganizationQuota>({ max: 10_000, ttl: cacheTtlMs });
  return async (organizationId) => {
    const cached = cache.get(organizationId);
    if (cached) return cached;
    const start = performance.now();
    const organization = await Organization.findById(organizationId)
      .select({ limits: 1 })
      .lean<Pick<OrganizationRecord, 'limits'>>();
    const { limits = {} } = organization ?? {};
    const quota = { readsPerMinute: limits.readsPerMinute ?? null, writesPerMinute: limits.writesPerMinute ?? null };
    // The time counts from the start of the read.
    cache.set(organizationId, quota, { start });
    return quota;
  };
}
