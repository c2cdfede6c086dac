import type { CursorCodec } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { isId } from '../ids.ts';
import { type Page, readPage } from '../platform/mongo/read-page.ts';
import { nameOrder, Organization, type OrganizationRecord } from './organization.model.ts';

export type OrganizationRow = Pick<OrganizationRecord, '_id' | 'name' | 'createdAt'>;

/** Sorts after every character that a name can contain. */
const lastCharacter = '\uffff';

/** Lists organizations, newest first. `search` is an id or the start of names, ignoring case and accents. */
export async function listOrganizations(
  { search, limit, cursor }: { search?: string | undefined; limit: number; cursor: string | undefined },
  cursors: CursorCodec,
): Promise<Page<OrganizationRow>> {
  const projection = { name: 1, createdAt: 1 } as const;
  const order = { scope: { route: 'organizations', search }, cursors, cursor, limit };
  if (search === undefined)
    return await readPage<OrganizationRow>({ model: Organization, filter: {}, projection, ...order });
  if (isId('org', search)) {
    const rows = await Organization.find({ _id: search }, projection).lean<OrganizationRow[]>();
    return { rows, hasMore: false, nextCursor: null };
  }
  return await readPage<OrganizationRow>({
    model: {
      find: (filter: object, fields: object) => Organization.find(filter, fields).collation(nameOrder),
    } as never,
    filter: { name: { $gte: search, $lt: search + lastCharacter } },
    projection,
    // By name: walking the index on ids would read all organizations to find a rare name.
    hint: { name: 1 },
    ...order,
  });
}

/** Returns the approximate number of organizations, from collection metadata. */
export async function countOrganizations(): Promise<number> {
  return await Organization.estimatedDocumentCount();
}

/** Returns an organization. Throws NOT_FOUND. */
export async function readOrganization(organizationId: string): Promise<OrganizationRecord> {
  const organization = await Organization.findById(organizationId).lean<OrganizationRecord>();
  if (!organization) throw new AppError('NOT_FOUND');
  return organization;
}
