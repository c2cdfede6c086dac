import type { CursorCodec } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { type Page, type PageQuery, readPage } from '../platform/mongo/read-page.ts';
import { ApiKey, type ApiKeyRecord } from './api-key.model.ts';

/** Lists an organization's active keys of both modes, by id. */
export async function listApiKeys(
  organizationId: string,
  page: PageQuery,
  cursors: CursorCodec,
): Promise<Page<ApiKeyRecord>> {
  const filter = { organizationId, revokedAt: null };
  const scope = { route: 'api-keys', organizationId };
  return await readPage<ApiKeyRecord>({ model: ApiKey, filter, scope }, page, cursors);
}

/** Returns an active key of this organization. Throws NOT_FOUND for any other. */
export async function findApiKey(organizationId: string, keyId: string): Promise<ApiKeyRecord> {
  return await ApiKey.findOne({ _id: keyId, organizationId, revokedAt: null })
    .orFail(() => new AppError('NOT_FOUND', { message: 'There is no such key.' }))
    .lean<ApiKeyRecord>();
}
