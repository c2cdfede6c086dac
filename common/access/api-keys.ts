import type { AuditActor } from '../audit/audit.model.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { AppError, invalid } from '../errors.ts';
import type { Mode } from '../modes.ts';
import { Organization } from '../organizations/organization.model.ts';
import { inTransaction, type Transaction } from '../platform/mongo/transaction.ts';
import type { Revocations } from '../platform/redis/revocations.ts';
import { randomBase32, sha256Hex } from '../secrets.ts';
import { ApiKey, type ApiKeyRecord } from './api-key.model.ts';
import type { Scope } from './scopes.ts';

export type NewApiKey = {
  organizationId: string;
  mode: Mode;
  scopes: readonly Scope[];
  name?: string | null;
  readsPerMinute?: number | null;
  writesPerMinute?: number | null;
};

/** The limit of keys per organization and mode, without revoked ones. */
export const maxActiveKeys = 50;

/**
 * Creates a key. The returned text is the only copy of the secret: only its hash is stored. Throws VALIDATION_ERROR
 * without scopes or for an unknown organization, and LIMIT_REACHED at `maxActiveKeys`.
 */
export async function createApiKey(
  wanted: NewApiKey,
  at: Date,
  by?: AuditActor,
): Promise<{ key: string; record: ApiKeyRecord }> {
  if (wanted.scopes.length === 0) throw invalid(['scopes'], 'Give at least one scope.');
  const keyId = `${wanted.mode}${randomBase32(10)}`;
  const secret = randomBase32(32);
  const record: ApiKeyRecord = {
    _id: keyId,
    organizationId: wanted.organizationId,
    mode: wanted.mode,
    name: wanted.name ?? null,
    scopes: [...new Set(wanted.scopes)],
    secretHash: sha256Hex(secret),
    readsPerMinute: wanted.readsPerMinute ?? null,
    writesPerMinute: wanted.writesPerMinute ?? null,
    createdAt: at,
    lastUsedAt: null,
    revokedAt: null,
  };
  const { organizationId, mode } = record;
  const detail = { scopes: record.scopes.join(' ') };
  const entry = { action: 'key.created', subjectId: keyId, organizationId, mode, detail } as const;
  await inTransaction(async (transaction) => {
    await reserveKey(transaction, record);
    await ApiKey.create([record], { session: transaction });
    await recordAudit(entry, by, at, transaction);
  });

  return { key: `bjk_${keyId}_${secret}`, record };
}

/** Throws LIMIT_REACHED if there is no room for another key. Runs in the transaction that creates it. */
async function reserveKey(transaction: Transaction, { organizationId, mode }: ApiKeyRecord): Promise<void> {
  // Two concurrent counts would both see the last free place. Writing the same document makes one of them retry.
  const raised = { $inc: { [`keysCreated.${mode}`]: 1 } };
  const { matchedCount } = await Organization.updateOne({ _id: organizationId }, raised, { session: transaction });
  if (matchedCount === 0) throw invalid(['organizationId'], 'There is no such organization.');
  const live = { organizationId, mode, revokedAt: null };
  if ((await ApiKey.countDocuments(live, { session: transaction })) < maxActiveKeys) return;
  const message = `The organization has ${maxActiveKeys} ${mode} keys. Revoke one that is not used any more first.`;
  throw new AppError('LIMIT_REACHED', { message });
}

/**
 * Revokes a key and announces it to every process. A repeat only announces it again. Throws NOT_FOUND for an unknown
 * id.
 */
export async function revokeApiKey(
  keyId: string,
  revocations: Revocations,
  at: Date,
  by?: AuditActor,
): Promise<ApiKeyRecord> {
  const id = keyId.replace(/^bjk_/, '');
  const { modifiedCount } = await ApiKey.updateOne({ _id: id, revokedAt: null }, { revokedAt: at });
  const record = await ApiKey.findById(id).lean<ApiKeyRecord>();
  if (!record) throw new AppError('NOT_FOUND', { message: 'There is no such key.' });
  await revocations.announce(id);
  const { organizationId, mode } = record;
  const entry = { action: 'key.revoked', subjectId: id, organizationId, mode } as const;
  if (modifiedCount === 1) await recordAudit(entry, by, at);

  return record;
}
