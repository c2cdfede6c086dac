import type { CursorCodec } from '../cursor.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { type Page, type PageQuery, readPage } from '../platform/mongo/read-page.ts';
import { nameOrder, Organization, type OrganizationRecord } from './organization.model.ts';

export type OrganizationRow = Pick<OrganizationRecord, '_id' | 'name' | 'createdAt'>;

/** Sorts after every character that a name can contain. */
const lastCharacter = '\uffff';

/** Lists organizations, newest first. `search` is an id or the start of names, ignoring case and accents. */
export async function listOrganizations(
  { search, ...page }: PageQuery & { search: string | undefined },
  cursors: CursorCodec,
): Promise<Page<OrganizationRow>> {
  const projection = { name: 1, createdAt: 1 } as const;
  const shared = { projection, scope: { route: 'organizations', search } };
  if (search === undefined) {
    return await readPage<OrganizationRow>({ ...shared, model: Organization, filter: {} }, page, cursors);
  }
  if (isId('org', search)) {
    const rows = await Organization.find({ _id: search }, projection).lean<OrganizationRow[]>();
    return { rows, hasMore: false, nextCursor: null };
  }
  const model = {
    find: (filter: object, fields: object) => Organization.find(filter, fields).collation(nameOrder),
  } as never;
  const filter = { name: { $gte: search, $lt: search + lastCharacter } };
  // By name: walking the index on ids would read all organizations to find a rare name.
  return await readPage<OrganizationRow>({ ...shared, model, filter, hint: { name: 1 } }, page, cursors);
}

/** Returns the approximate number of organizations, from collection metadata. */
export async function countOrganizations(): Promise<number> {
  return await Organization.estimatedDocumentCount();
}

/** Returns an organization. Throws NOT_FOUND. */
export async function readOrganization(organizationId: string): Promise<OrganizationRecord> {
  return await Organization.findById(organizationId).orFail(notFound).lean<OrganizationRecord>();
}
