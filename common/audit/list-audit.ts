import type { CursorCodec } from '../cursor.ts';
import { type Page, type PageQuery, readPage } from '../platform/mongo/read-page.ts';
import { AuditEntry, type AuditEntryRecord } from './audit.model.ts';

/** Lists the audit log, latest first, of one organization or of the whole installation. */
export async function listAudit(
  { organizationId, ...page }: PageQuery & { organizationId: string | undefined },
  cursors: CursorCodec,
): Promise<Page<AuditEntryRecord>> {
  const filter = organizationId === undefined ? {} : { organizationId };
  const scope = { route: 'audit', organizationId };
  return await readPage<AuditEntryRecord>({ model: AuditEntry, filter, scope }, page, cursors);
}
