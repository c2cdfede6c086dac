import { type GrantRecord, OAuthGrant } from '#common/access/grant.model.ts';
import { scopes as allScopes, type Scope } from '#common/access/scopes.ts';
import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { sha256Hex } from '#common/secrets.ts';
import type { OAuthClientRecord } from '../client.model.ts';
import { lifetimes } from '../lifetimes.ts';
import { OAuthError } from '../oauth-error.ts';
import { readScopes } from '../parameters.ts';
import { requireResource } from './require-resource.ts';
import { revokeReplayed } from './revoke-grants.ts';
import { grantIdOf, type TokenPair } from './token-mint.ts';
import { type TokenDeps, type TokenResponse, toTokenResponse } from './token-response.ts';

/** Valid access tokens per grant. Beyond this, a refresh drops the oldest. */
export const maxAccessTokens = 10;

/** Timeout of the linearizable read, which waits until all earlier writes are majority-committed. */
const linearizableTimeoutMs = 5_000;

type Presented = {
  grantId: string;
  clientId: string;
  refreshToken: string;
  hash: string;
  /** Null for all scopes of the grant. */
  scopes: Scope[] | null;
  /** Undefined when the request names none. */
  resource: string | null | undefined;
  successors: TokenPair;
  at: Date;
};

/**
 * Exchanges a refresh token for its successors (RFC 6749, 6; rotation as in RFC 9700, 4.14). Spending the old token and
 * issuing the new ones is one write.
 *
 * A repeat within 30 s, while the successor is unused, returns the same pair: the first response may have been lost,
 * and concurrent requests of one application all succeed. A later repeat, a repeat after the successor was used, or an
 * older ancestor revokes the grant with all its tokens.
 *
 * `scope` may restrict the access token; the refresh token keeps all scopes. Throws invalid_grant, invalid_scope,
 * invalid_target, and SERVICE_UNAVAILABLE for a repeat whose response was derived with a key this process lacks.
 */
export async function rotateRefreshToken(
  wanted: {
    client: OAuthClientRecord;
    refreshToken: string;
    scope: string | undefined;
    resource?: string | null | undefined;
    at: Date;
  },
  deps: TokenDeps,
): Promise<TokenResponse> {
  const { client, refreshToken, scope, resource, at } = wanted;
  const grantId = grantIdOf('refresh', refreshToken);
  if (grantId === null) throw wrongToken();
  const presented: Presented = {
    grantId,
    clientId: client._id,
    refreshToken,
    hash: sha256Hex(refreshToken),
    // `spend` refuses scopes that this grant lacks. The client may have fewer by now.
    scopes: scope === undefined ? null : readScopes(scope, allScopes),
    resource,
    successors: deps.mint.successorsOf(grantId, refreshToken),
    at,
  };
  return (await spend(presented)) ?? (await resolveRefused(presented, deps));
}

/** Spends the current token with one write. Returns null if the token is not current or the scopes or resource exceed the grant. */
async function spend({
  grantId,
  clientId,
  hash,
  scopes,
  resource,
  successors,
  at,
}: Presented): Promise<TokenResponse | null> {
  const access = {
    hash: sha256Hex(successors.accessToken),
    scopes,
    expiresAt: plusMs(at, lifetimes.accessTokenMs),
  };
  const spending = OAuthGrant.updateOne(
    {
      _id: grantId,
      clientId,
      revokedAt: null,
      expiresAt: { $gt: at },
      'refresh.hash': hash,
      'refresh.expiresAt': { $gt: at },
      ...(scopes && { scopes: { $all: scopes } }),
      ...(resource !== undefined && { $or: [{ resource }, { resource: { $exists: false } }] }),
    },
    {
      $set: {
        refresh: {
          hash: sha256Hex(successors.refreshToken),
          previousHash: hash,
          rotatedAt: at,
          expiresAt: plusMs(at, lifetimes.refreshTokenMs),
        },
      },
      $push: { accessTokens: { $each: [access], $slice: -maxAccessTokens } },
    },
  );
  // These never change, so they are read concurrently. A write that returns the row would make MongoDB store the row
  // twice.
  const reading = OAuthGrant.findOne({ _id: grantId, clientId }, { scopes: 1, organizationId: 1 }).lean<GrantRecord>();
  const [spent, grant] = await Promise.all([spending, reading]);
  if (spent.modifiedCount !== 1 || !grant) return null;
  const organization = await readOrganization(grant.organizationId);
  return toTokenResponse({ pair: successors, access, grant, organization, at });
}

/** Decides about a token that `spend` refused: repeat, replay or error. */
async function resolveRefused(presented: Presented, deps: TokenDeps): Promise<TokenResponse> {
  const { grantId, clientId, refreshToken, hash, scopes, resource, at } = presented;
  const grant = await OAuthGrant.findOne({ _id: grantId, clientId })
    // Otherwise a repeat could return a pair whose write is rolled back in a failover.
    .read('primary')
    .readConcern('linearizable')
    .maxTimeMS(linearizableTimeoutMs)
    .lean<GrantRecord>();
  if (!grant?.refresh || grant.revokedAt || grant.expiresAt <= at) throw wrongToken();
  const { refresh, accessTokens } = grant;

  if (refresh.hash === hash) {
    // The token is current, but expired, or the scopes or the resource exceed the grant.
    if (refresh.expiresAt > at) requireResource(grant, resource);
    if (refresh.expiresAt > at && scopes) readScopes(scopes.join(' '), grant.scopes);
    throw wrongToken();
  }
  const isLastOne = refresh.previousHash === hash;
  const isRecent = refresh.rotatedAt > plusMs(at, -lifetimes.graceMs);
  if (isLastOne && isRecent) {
    const pair = deps.mint
      .successorsUnderEveryKey(grantId, refreshToken)
      .find((known) => refresh.hash === sha256Hex(known.refreshToken));
    // During a key rotation another process may have derived the pair with a key this process does not have yet.
    if (!pair) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
    const access = accessTokens.find((token) => token.hash === sha256Hex(pair.accessToken));
    requireResource(grant, resource);
    if (access) {
      const organization = await readOrganization(grant.organizationId);
      return toTokenResponse({ pair, access, grant, organization, at });
    }
  }
  if (isLastOne || deps.mint.wasIssued(refreshToken)) {
    await revokeReplayed({ grant, reason: 'refresh-replay', clientId, at }, deps);
  }
  throw wrongToken();
}

function wrongToken(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The refresh token is unknown, expired, revoked, used already or was issued to another client.',
  );
}
