import { AppError } from '../errors.ts';
import type { Transaction } from '../platform/mongo/transaction.ts';
import { type GrantRecord, OAuthGrant } from './grant.model.ts';

const credentialPrefix = 'grant-';

/** Returns the id of a grant as a credential. */
export const credentialIdOf = (grantId: string) => credentialPrefix + grantId;

/** Returns the grant of a credential id; undefined for that of an API key or a user. */
export function grantOf(credentialId: string): string | undefined {
  return credentialId.startsWith(credentialPrefix) ? credentialId.slice(credentialPrefix.length) : undefined;
}

/** Filter of live grants: neither revoked nor expired, and refreshed in time. */
export const isLive = (at: Date) => ({
  revokedAt: null,
  expiresAt: { $gt: at },
  'refresh.expiresAt': { $gt: at },
});

/** Returns those of the given grants that have ended. A grant that no longer exists has ended. */
export async function findEndedGrants(grantIds: readonly string[], at: Date): Promise<ReadonlySet<string>> {
  const asked = new Set(grantIds);
  if (asked.size === 0) return asked;
  const live = await OAuthGrant.find({ _id: { $in: [...asked] }, ...isLive(at) }, { _id: 1 }).lean<GrantRecord[]>();
  return asked.difference(new Set(live.map(({ _id }) => _id)));
}

/**
 * Reserves a live grant, if there is one, in the transaction that creates something which ends with it. Throws UNAUTHORIZED
 * once the grant has ended. The write makes this transaction and one that ends the grant conflict: otherwise each could miss the other.
 */
export async function reserveGrant(transaction: Transaction, grantId: string | undefined, at: Date): Promise<void> {
  if (grantId === undefined) return;
  const reserve = { $inc: { reservations: 1 } };
  const { matchedCount } = await OAuthGrant.updateOne({ _id: grantId, ...isLive(at) }, reserve, {
    session: transaction,
  });
  if (matchedCount === 0) throw new AppError('UNAUTHORIZED');
}
