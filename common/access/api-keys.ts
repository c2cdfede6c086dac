import { AppError, invalid } from '../errors.ts';
import type { Mode } from '../modes.ts';
import type { AuditActor } from '../organizations/audit.model.ts';
import { Organization } from '../organizations/organization.model.ts';
import { recordAudit } from '../organizations/record-audit.ts';
import type { Revocations } from '../platform/revocations.ts';
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

/** Makes a key. The returned text is all there will ever be of its secret: only a hash is stored. */
export async function createApiKey(
  wanted: NewApiKey,
  at: Date,
  by?: AuditActor,
): Promise<{ key: string; record: ApiKeyRecord }> {
  if (wanted.scopes.length === 0) throw invalid(['scopes'], 'Give at least one scope.');
  if (!(await Organization.exists({ _id: wanted.organizationId }))) {
    throw invalid(['organizationId'], 'There is no such organization.');
  }
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
  await ApiKey.create([record]);
  const { organizationId, mode } = record;
  const detail = { mode, scopes: record.scopes.join(' ') };
  await recordAudit({ action: 'key.created', subjectId: keyId, organizationId, detail }, by, at);

  return { key: `bjk_${keyId}_${secret}`, record };
}

/**
 * Ends a key, in every process; a second time changes nothing but tells them again. Throws NOT_FOUND for an id that
 * never was one.
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
  const entry = { action: 'key.revoked', subjectId: id, organizationId, detail: { mode } } as const;
  if (modifiedCount === 1) await recordAudit(entry, by, at);

  return record;
}
