import type { Scope } from '../access/scopes.ts';
import { plusMs } from '../clock.ts';
import { sha256Hex } from '../secrets.ts';
import type { OAuthClientRecord } from './client.model.ts';
import { type GrantRecord, OAuthGrant } from './grant.model.ts';
import { lifetimes } from './lifetimes.ts';
import { OAuthError } from './oauth-error.ts';
import { revokeReplayed } from './revoke-grants.ts';
import { readScopes } from './scope-list.ts';
import { type OAuthTools, type TokenAnswer, toTokenAnswer } from './token-answer.ts';
import { grantIdOf, type TokenPair } from './token-mint.ts';

/** An application that refreshes without need keeps this many access tokens alive; the oldest ends first. */
const maxAccessTokens = 10;

/** A judgement reads the row when every write before it is safe from a failover, and waits this long at most. */
const judgeTimeoutMs = 5_000;

type Presented = {
  grantId: string;
  clientId: string;
  refreshToken: string;
  hash: string;
  /** Null for all that the grant has. */
  scopes: Scope[] | null;
  successors: TokenPair;
  at: Date;
};

/**
 * Exchanges a refresh token for its successors (RFC 6749, 6; rotation after RFC 9700, 4.14). Spending and issuing are one
 * write. The same token once more within 30 s, its successor not used yet, gets the same pair: the first answer may
 * have been lost, and racing requests of an honest application all win. Later, after the successor was used, or for an
 * older ancestor, the grant ends with all its tokens. `scope` may name fewer scopes for this access token; the refresh
 * token keeps all. Throws invalid_grant, invalid_scope.
 */
export async function rotateRefreshToken(
  wanted: { client: OAuthClientRecord; refreshToken: string; scope: string | undefined; at: Date },
  tools: OAuthTools,
): Promise<TokenAnswer> {
  const { client, refreshToken, scope, at } = wanted;
  const grantId = grantIdOf('refresh', refreshToken);
  if (grantId === null) throw wrongToken();
  const presented: Presented = {
    grantId,
    clientId: client._id,
    refreshToken,
    hash: sha256Hex(refreshToken),
    // A client's scopes are the most that its grants can have; what this grant lacks of them the write itself refuses.
    scopes: scope === undefined ? null : readScopes(scope, client.scopes),
    successors: tools.mint.successorsOf(grantId, refreshToken),
    at,
  };
  return (await spend(presented)) ?? (await judge(presented, tools));
}

/** The usual way, one write; null when the token is not the live one or asks for too much. */
async function spend({ grantId, clientId, hash, scopes, successors, at }: Presented): Promise<TokenAnswer | null> {
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
  // Beside the write, since they never change. A write that returns the row would make the database store it twice.
  const reading = OAuthGrant.findOne({ _id: grantId, clientId }, { scopes: 1 }).lean<GrantRecord>();
  const [spent, grant] = await Promise.all([spending, reading]);
  return spent.modifiedCount === 1 && grant ? toTokenAnswer({ pair: successors, access, grant, at }) : null;
}

/** The token was not the live one, or asked for too much: what is to become of it? */
async function judge(presented: Presented, tools: OAuthTools): Promise<TokenAnswer> {
  const { grantId, clientId, refreshToken, hash, scopes, successors, at } = presented;
  const grant = await OAuthGrant.findOne({ _id: grantId, clientId })
    // Else the pair of a write that is lost in a failover could be handed out here.
    .read('primary')
    .readConcern('linearizable')
    .maxTimeMS(judgeTimeoutMs)
    .lean<GrantRecord>();
  if (!grant?.refresh || grant.revokedAt || grant.expiresAt <= at) throw wrongToken();
  const { refresh, accessTokens } = grant;

  if (refresh.hash === hash) {
    // It is the live one after all: too old, or asked for more than this user agreed to.
    if (refresh.expiresAt > at && scopes) readScopes(scopes.join(' '), grant.scopes);
    throw wrongToken();
  }
  const isLastOne = refresh.previousHash === hash;
  const access = accessTokens.find((token) => token.hash === sha256Hex(successors.accessToken));
  const isRecent = refresh.rotatedAt > plusMs(at, -lifetimes.graceMs);
  if (isLastOne && isRecent && access && refresh.hash === sha256Hex(successors.refreshToken)) {
    return toTokenAnswer({ pair: successors, access, grant, at });
  }
  if (isLastOne || tools.mint.wasIssued(refreshToken)) {
    await revokeReplayed({ grant, reason: 'refresh-replay', clientId, at }, tools);
  }
  throw wrongToken();
}

function wrongToken(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The refresh token is unknown, expired, revoked, used already or was issued to another client.',
  );
}
