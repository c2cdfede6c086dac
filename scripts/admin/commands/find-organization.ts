import { invalid } from '#common/errors.ts';
import { Organization, type OrganizationRecord } from '#common/organizations/organization.model.ts';

/** Returns the organization that `--org` names. Throws VALIDATION_ERROR when it does not exist. */
export async function findOrganization(organizationId: string): Promise<OrganizationRecord> {
  const organization = await Organization.findById(organizationId).lean<OrganizationRecord>();
  if (!organization) throw invalid(['org'], `There is no organization ${organizationId}.`);
  return organization;
}
