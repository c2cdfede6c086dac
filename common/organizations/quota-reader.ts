import { createCachedReads } from '../platform/concurrency/cached-reads.ts';
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
  const reads = createCachedReads<OrganizationQuota>({ maxAgeMs: cacheTtlMs });
  return (organizationId) => reads.get(organizationId, () => readQuota(organizationId));
}

async function readQuota(organizationId: string): Promise<OrganizationQuota> {
  const organization = await Organization.findById(organizationId)
    .select({ limits: 1 })
    .lean<Pick<OrganizationRecord, 'limits'>>();
  const { limits = {} } = organization ?? {};
  return { readsPerMinute: limits.readsPerMinute ?? null, writesPerMinute: limits.writesPerMinute ?? null };
}
