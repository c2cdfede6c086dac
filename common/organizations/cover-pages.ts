import type { AuditStamp } from '../audit/record-audit.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { type CoverPageRule, Organization, type OrganizationRecord } from './organization.model.ts';

const defaultRule: CoverPageRule = 'auto';

/** Returns when an organization's letters get a cover page; `auto` unless it chose otherwise. */
export async function readCoverPageRule(organizationId: string): Promise<CoverPageRule> {
  const row = await Organization.findById(organizationId, { coverPages: 1 }).lean<
    Pick<OrganizationRecord, 'coverPages'>
  >();
  return row?.coverPages ?? defaultRule;
}

/** Sets when an organization's letters get a cover page. Letters that are already rendered keep theirs. */
export async function setCoverPageRule(
  organizationId: string,
  coverPages: CoverPageRule,
  { by, at }: AuditStamp,
): Promise<void> {
  await Organization.updateOne({ _id: organizationId }, { $set: { coverPages } });
  const entry = { action: 'organization.cover-pages-set', subjectId: organizationId, organizationId } as const;
  await recordAudit({ ...entry, detail: { coverPages } }, by, at);
}
