import type { CursorCodec } from '../cursor.ts';
import { type Page, readPage } from '../platform/mongo/read-page.ts';
import { AuditEntry, type AuditEntryRecord } from './audit.model.ts';

export type AuditFilter = { organizationId?: string | undefined };

/** Lists the audit log, latest first, of one organization or of the whole installation. */
export async function listAudit(
  { organizationId, limit, cursor }: AuditFilter & { limit: number; cursor: string | undefined },
  cursors: CursorCodec,
): Promise<Page<AuditEntryRecord>> {
  return await readPage<AuditEntryRecord>({
    model: AuditEntry,
    filter: organizationId === undefined ? {} : { organizationId },
    scope: { route: 'audit', organizationId },
    cursors,
    cursor,
    limit,
  });
}
