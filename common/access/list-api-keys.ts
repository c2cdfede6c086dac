import type { CursorCodec } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { type Page, readPage } from '../platform/mongo/read-page.ts';
import { ApiKey, type ApiKeyRecord } from './api-key.model.ts';

/** Lists an organization's active keys of both modes, by id. */
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

/** Returns an active key of this organization. Throws NOT_FOUND for any other. */
export async function findApiKey(organizationId: string, keyId: string): Promise<ApiKeyRecord> {
  const key = await ApiKey.findOne({ _id: keyId, organizationId, revokedAt: null }).lean<ApiKeyRecord>();
  if (!key) throw new AppError('NOT_FOUND', { message: 'There is no such key.' });
  return key;
}
