import type { CursorCodec } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { type Page, readPage } from '../platform/read-page.ts';
import { ApiKey, type ApiKeyRecord } from './api-key.model.ts';

/** An organization's keys of both modes that were not revoked, in the order of their ids. */
export async function listApiKeys(
  organizationId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
  cursors: CursorCodec,
): Promise<Page<ApiKeyRecord>> {
  return await readPage<ApiKeyRecord>({
    model: ApiKey,
    filter: { organizationId, revokedAt: null },
    scope: { route: 'api-keys', organizationId },
    cursors,
    cursor,
    limit,
  });
}

/** A key of this organization that was not revoked. Throws NOT_FOUND for every other one. */
export async function findApiKey(organizationId: string, keyId: string): Promise<ApiKeyRecord> {
  const key = await ApiKey.findOne({ _id: keyId, organizationId, revokedAt: null }).lean<ApiKeyRecord>();
  if (!key) throw new AppError('NOT_FOUND', { message: 'There is no such key.' });
  return key;
}
