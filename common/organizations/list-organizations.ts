import type { CursorCodec } from '../cursor.ts';
import { isId } from '../ids.ts';
import { type Page, readPage } from '../platform/read-page.ts';
import { nameOrder, Organization, type OrganizationRecord } from './organization.model.ts';

export type OrganizationRow = Pick<OrganizationRecord, '_id' | 'name' | 'createdAt'>;

/** Behind every character that a name can have. */
const lastCharacter = '\uffff';

/**
 * Organizations, the newest first. `search` is an id, or how names begin, whatever their case and accents.
 */
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
    // The names first: found by the ids, all organizations would be read for a name that few have.
    hint: { name: 1 },
    ...order,
  });
}

/** About how many there are, by the collection's own count. */
export async function countOrganizations(): Promise<number> {
  return await Organization.estimatedDocumentCount();
}
