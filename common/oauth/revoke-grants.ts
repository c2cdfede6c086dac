import { type GrantRecord, OAuthGrant, type RevocationReason } from './grant.model.ts';
import type { OAuthTools, TokenReplay } from './token-answer.ts';

/**
 * Ends what `filter` finds, with all codes and tokens of it, from this write on: each of them is only ever honoured by
 * a grant that is not revoked. Returns how many were ended.
 */
async function revoke(
  filter: Partial<Pick<GrantRecord, '_id' | 'clientId' | 'organizationId'>>,
  reason: RevocationReason,
  at: Date,
): Promise<number> {
  const ended = await OAuthGrant.updateMany({ ...filter, revokedAt: null }, { revokedAt: at, revokedBecause: reason });
  return ended.modifiedCount;
}

/** One press in the account area: ends every grant that an organization has given to an application. */
export async function revokeGrantsOf(
  { clientId, organizationId }: { clientId: string; organizationId: string },
  at: Date,
): Promise<number> {
  return await revoke({ organizationId, clientId }, 'user', at);
}

/** The application gave its access back. */
export async function revokeGrant({ _id, clientId }: Pick<GrantRecord, '_id' | 'clientId'>, at: Date): Promise<void> {
  await revoke({ _id, clientId }, 'application', at);
}

/** The operator ended an application: every grant of it, over all organizations. */
export async function revokeGrantsOfClient(clientId: string, at: Date): Promise<number> {
  return await revoke({ clientId }, 'operator', at);
}

/** Ends a grant whose code or refresh token came again, and reports it; racing replays of one report it once. */
export async function revokeReplayed(
  { grant, reason, clientId, at }: { grant: GrantRecord; reason: TokenReplay['reason']; clientId: string; at: Date },
  { reportReplay }: OAuthTools,
): Promise<void> {
  const { _id: grantId, organizationId } = grant;
  const endedCount = await revoke({ _id: grantId, clientId }, reason, at);
  if (endedCount > 0) reportReplay({ grantId, clientId, organizationId, reason });
}
