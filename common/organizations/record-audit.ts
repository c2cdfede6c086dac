import { newIdAt } from '../ids.ts';
import type { Transaction } from '../platform/transaction.ts';
import { type AuditActor, AuditEntry, type AuditEntryRecord } from './audit.model.ts';

export type NewAuditEntry = Pick<AuditEntryRecord, 'action' | 'subjectId'> &
  Partial<Pick<AuditEntryRecord, 'organizationId' | 'detail'>>;

/** Who changes something and when, for what is not told the time otherwise. */
export type AuditStamp = { by: AuditActor; at: Date };

/**
 * Writes a change into the audit log, in the transaction that makes it where there is one. Without `by` nothing is
 * written: the service has done it in its own course.
 */
export async function recordAudit(
  { action, subjectId, organizationId = null, detail = {} }: NewAuditEntry,
  by: AuditActor | undefined,
  at: Date,
  transaction?: Transaction,
): Promise<void> {
  if (!by) return;
  const entry: AuditEntryRecord = { _id: newIdAt('aud', at), at, actor: by, action, organizationId, subjectId, detail };
  await AuditEntry.create([entry], transaction ? { session: transaction } : {});
}
