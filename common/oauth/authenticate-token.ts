import type { Credential } from '../access/credential.ts';
import type { Clock } from '../clock.ts';
import { areEqualDigests, sha256Hex } from '../secrets.ts';
import { type GrantRecord, OAuthGrant } from './grant.model.ts';
import { grantIdOf } from './token-mint.ts';

/** Turns an access token into its credential; null when it is malformed, unknown, expired or revoked. */
export type TokenAuthenticator = (token: string) => Promise<Credential | null>;

/** One read of a primary key for each request, and nothing is kept: a revocation holds at once in every process. */
export function createTokenAuthenticator(clock: Clock): TokenAuthenticator {
  return async (token) => {
    const grantId = grantIdOf('access', token);
    const grant = grantId && (await OAuthGrant.findOne({ _id: grantId, revokedAt: null }).lean<GrantRecord>());
    if (!grant) return null;
    const hash = sha256Hex(token);
    const access = grant.accessTokens.find((known) => areEqualDigests(known.hash, hash));
    const now = clock.now();
    if (!access || access.expiresAt <= now || grant.expiresAt <= now) return null;

    return toCredential(grant, access);
  };
}

/** Whoever calls pays from the wallet of the organization that consented, and shares its grant's quota. */
function toCredential(
  { _id, organizationId, mode, scopes }: GrantRecord,
  access: GrantRecord['accessTokens'][number],
): Credential {
  return {
    kind: 'oauth',
    id: `grant-${_id}`,
    organizationId,
    mode,
    scopes: access.scopes ?? scopes,
    readsPerMinute: null,
    writesPerMinute: null,
  };
}
