import type { AuditActor } from '../audit/audit.model.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { AppError } from '../errors.ts';
import { Organization, type OrganizationLimits, type OrganizationRecord } from '../organizations/organization.model.ts';
import { inTransaction } from '../platform/mongo/transaction.ts';

/** As many as RATE_LIMIT_READ_PER_MINUTE and its like allow. */
const highestRate = 1_000_000;
/** As MAX_STORED_TEST_GB and MAX_STORED_LIVE_GB allow. */
const storedGb = { min: 1, max: 1_000_000 };

type LimitRule = { min: number; max: number; field: keyof OrganizationLimits };

/** What an operator may limit per organization, in both modes unless the name has one. */
export const organizationLimits = {
  'reads-per-minute': { min: 1, max: highestRate, field: 'readsPerMinute' },
  'writes-per-minute': { min: 1, max: highestRate, field: 'writesPerMinute' },
  'active-webhooks': { min: 0, max: 200, field: 'activeWebhooks' },
  'stored-test-gb': { ...storedGb, field: 'storedTestGb' },
  'stored-live-gb': { ...storedGb, field: 'storedLiveGb' },
} as const satisfies Record<string, LimitRule>;
export type LimitName = keyof typeof organizationLimits;
export const limitNames = Object.keys(organizationLimits) as LimitName[];

/**
 * Sets a limit of an organization; null returns to that of the installation. What exceeds it already stays. Throws
 * NOT_FOUND.
 */
export async function setOrganizationLimit(
  { organizationId, name, value }: { organizationId: string; name: LimitName; value: number | null },
  by: AuditActor,
  at: Date,
): Promise<void> {
  const path = `limits.${organizationLimits[name].field}`;
  const change = value === null ? { $unset: { [path]: 1 } } : { $set: { [path]: value } };
  await inTransaction(async (session) => {
    const { matchedCount } = await Organization.updateOne({ _id: organizationId }, change, { session });
    if (matchedCount === 0) throw new AppError('NOT_FOUND', { message: `There is no organization ${organizationId}.` });
    const entry = { action: 'organization.limit-set', subjectId: organizationId, organizationId } as const;
    await recordAudit({ ...entry, detail: { limit: name, value } }, by, at, session);
  });
}

/** Returns the limits that are set for an organization. */
export function limitsOf({ limits = {} }: Pick<OrganizationRecord, 'limits'>): Partial<Record<LimitName, number>> {
  const values = limitNames.map((name) => [name, limits[organizationLimits[name].field]]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
