import type { Credential } from '#common/access/credential.ts';
import { type GrantRecord, OAuthGrant } from '#common/access/grant.model.ts';
import { credentialIdOf } from '#common/access/live-grants.ts';
import type { Clock } from '#common/clock.ts';
import { areEqualDigests, sha256Hex } from '#common/secrets.ts';
import { grantIdOf } from './token-mint.ts';

/** Returns the credential of an access token, or null if it is malformed, unknown, expired or revoked. */
export type TokenAuthenticator = (token: string) => Promise<Credential | null>;

/**
 * Creates an authenticator without a cache: one read by primary key per request, so revocations apply to every process
 * at once.
 */
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

/** The wallet of the consenting organization pays. All tokens of a grant share one rate limit. */
function toCredential(
  { _id, clientId, clientName, organizationId, mode, resource, scopes, createdAt, expiresAt }: GrantRecord,
  access: GrantRecord['accessTokens'][number],
): Credential {
  return {
    kind: 'oauth',
    id: credentialIdOf(_id),
    actor: { kind: 'application', id: clientId, grantId: _id },
    organizationId,
    mode,
    scopes: access.scopes ?? scopes,
    resource,
    name: clientName ?? clientId,
    createdAt,
    expiresAt: access.expiresAt < expiresAt ? access.expiresAt : expiresAt,
    readsPerMinute: null,
    writesPerMinute: null,
  };
}
