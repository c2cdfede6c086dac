import { newIdAt } from '../ids.ts';
import type { Transaction } from '../platform/mongo/transaction.ts';
import { type AuditActor, AuditEntry, type AuditEntryRecord } from './audit.model.ts';

export type NewAuditEntry = Pick<AuditEntryRecord, 'action' | 'subjectId'> &
  Partial<Pick<AuditEntryRecord, 'organizationId' | 'mode' | 'detail'>>;

/** Who acts and when, for functions without a time parameter of their own. */
export type AuditStamp = { by: AuditActor; at: Date };

/**
 * Appends an entry to the audit log, in the transaction of the action if there is one. Writes nothing without `by`:
 * seeds and tests prepare data without an actor.
 */
export async function recordAudit(
  entry: NewAuditEntry,
  by: AuditActor | undefined,
  at: Date,
  transaction?: Transaction,
): Promise<void> {
  await recordAudits([entry], by, at, transaction);
}

/** Appends several actions of one actor at one time in one write. */
export async function recordAudits(
  entries: readonly NewAuditEntry[],
  by: AuditActor | undefined,
  at: Date,
  transaction?: Transaction,
): Promise<void> {
  if (!by || entries.length === 0) return;
  const rows = entries.map(
    ({ action, subjectId, organizationId = null, mode = null, detail = {} }): AuditEntryRecord => ({
      _id: newIdAt('aud', at),
      at,
      actor: by,
      action,
      organizationId,
      mode,
      subjectId,
      detail,
    }),
  );
  await AuditEntry.insertMany(rows, transaction ? { session: transaction } : {});
}
