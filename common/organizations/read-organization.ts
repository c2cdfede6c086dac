import { AppError } from '../errors.ts';
import { Organization, type OrganizationRecord } from './organization.model.ts';

/** Throws NOT_FOUND for an id that nobody has. */
export async function readOrganization(organizationId: string): Promise<OrganizationRecord> {
  const organization = await Organization.findById(organizationId).lean<OrganizationRecord>();
  if (!organization) throw new AppError('NOT_FOUND');
  return organization;
}
