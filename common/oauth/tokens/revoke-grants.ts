import { type GrantRecord, OAuthGrant, type RevocationReason } from '#common/access/grant.model.ts';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { type NewAuditEntry, recordAudits } from '#common/audit/record-audit.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { disableWebhooksOfGrants } from '#common/webhooks/sending/disable-webhook.ts';
import type { TokenDeps, TokenReplay } from './token-response.ts';

/** Grants revoked per transaction. */
const batchSize = 500;

type Revocation = { reason: RevocationReason; at: Date; by: AuditActor | undefined };

/**
 * Revokes the grants that match `filter`. Their codes and tokens end with them: they need an active grant. Disables their
 * webhooks and writes audit entries in the same transaction. `limit` is the most of them, 0 for all. Returns how many grants
 * were revoked.
 */
async function revoke(
  filter: Partial<Pick<GrantRecord, '_id' | 'clientId' | 'organizationId'>> | { $or: object[] },
  revocation: Revocation,
  limit = 0,
): Promise<number> {
  const found = await OAuthGrant.find({ ...filter, revokedAt: null }, { _id: 1 })
    .limit(limit)
    .lean<Pick<GrantRecord, '_id'>[]>();
  let revokedCount = 0;
  for (let start = 0; start < found.length; start += batchSize) {
    const ids = found.slice(start, start + batchSize).map(({ _id }) => _id);
    revokedCount += await revokeBatch(ids, revocation);
  }
  return revokedCount;
}

/** Concurrent revocations of one grant conflict. The second retries and finds it revoked. */
async function revokeBatch(ids: readonly string[], { reason, at, by }: Revocation): Promise<number> {
  return await inTransaction(async (session) => {
    const live = await OAuthGrant.find({ _id: { $in: ids }, revokedAt: null }, { accessTokens: 0 })
      .session(session)
      .lean<GrantRecord[]>();
    const change = { revokedAt: at, revokedBecause: reason };
    const liveIds = live.map(({ _id }) => _id);
    await OAuthGrant.updateMany({ _id: { $in: liveIds } }, change, { session });
    await disableWebhooksOfGrants(session, liveIds, by, at);
    const entries = live.map(({ _id: subjectId, clientId, organizationId, mode }): NewAuditEntry => {
      return { action: 'grant.revoked', subjectId, organizationId, mode, detail: { clientId, reason } };
    });
    await recordAudits(entries, by, at, session);
    return live.length;
  });
}

/** Revokes every grant of an organization to an application, on request of a user. */
export async function revokeGrantsOf(
  { clientId, organizationId }: { clientId: string; organizationId: string },
  at: Date,
  by?: AuditActor,
): Promise<number> {
  return await revoke({ organizationId, clientId }, { reason: 'user', at, by });
}

/** Revokes a grant on request of the application. */
export async function revokeGrant({ _id, clientId }: Pick<GrantRecord, '_id' | 'clientId'>, at: Date): Promise<void> {
  await revoke({ _id, clientId }, { reason: 'application', at, by: { kind: 'application', id: clientId } });
}

/** Revokes every grant of an application, in all organizations, on request of the operator. */
export async function revokeGrantsOfClient(clientId: string, at: Date, by?: AuditActor): Promise<number> {
  return await revoke({ clientId }, { reason: 'operator', at, by });
}

/** Revokes a grant whose code or refresh token was replayed, and reports it. Concurrent replays are reported once. */
export async function revokeReplayed(
  { grant, reason, clientId, at }: { grant: GrantRecord; reason: TokenReplay['reason']; clientId: string; at: Date },
  { reportReplay }: TokenDeps,
): Promise<void> {
  const { _id: grantId, organizationId } = grant;
  // The actor is unknown: the application, or a thief with its secret.
  const by: AuditActor = { kind: 'system', id: 'replay-detection' };
  const revokedCount = await revoke({ _id: grantId, clientId }, { reason, at, by });
  if (revokedCount > 0) reportReplay({ grantId, clientId, organizationId, reason });
}

/** The most grants that one call of `endExpiredGrants` ends. */
export const maxExpired = batchSize;

/**
 * Revokes grants whose time is over, or that of their last refresh token. Their tokens have ended by themselves, but not their
 * webhooks. Returns how many grants it ended, at most `maxExpired`.
 */
export async function endExpiredGrants(at: Date): Promise<number> {
  const isOver = { $lte: at };
  const expired = { $or: [{ expiresAt: isOver }, { 'refresh.expiresAt': isOver }] };
  const by: AuditActor = { kind: 'system', id: 'expiry' };
  return await revoke(expired, { reason: 'expired', at, by }, maxExpired);
}
