import { type GrantRecord, OAuthGrant } from '#common/access/grant.model.ts';
import { plusMs } from '#common/clock.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { areEqualDigests, sha256Hex } from '#common/secrets.ts';
import type { OAuthClientRecord } from '../client.model.ts';
import { lifetimes } from '../lifetimes.ts';
import { OAuthError } from '../oauth-error.ts';
import { isVerifierOf } from '../pkce.ts';
import { requireResource } from './require-resource.ts';
import { revokeReplayed } from './revoke-grants.ts';
import { grantIdOf } from './token-mint.ts';
import { type TokenDeps, type TokenResponse, toTokenResponse } from './token-response.ts';

/**
 * Exchanges a code for the first token pair (RFC 6749, 4.1.3). Checks client, redirect URI and PKCE before consuming
 * the code. Consuming and issuing are one write, so exactly one of several concurrent exchanges succeeds. Throws
 * invalid_grant, and invalid_target for another resource than that of the consent. A repeated code revokes the grant and all its tokens (RFC 6749, 4.1.2).
 */
export async function exchangeCode(
  wanted: {
    client: OAuthClientRecord;
    code: string;
    redirectUri: string | undefined;
    verifier: string | undefined;
    /** Absent, or that of the authorization request. */
    resource?: string | null | undefined;
    at: Date;
  },
  deps: TokenDeps,
): Promise<TokenResponse> {
  const { client, code, at } = wanted;
  const grantId = grantIdOf('code', code);
  const grant = grantId && (await OAuthGrant.findById(grantId).lean<GrantRecord>());
  if (!grant || !matchesGrant(grant, wanted)) throw wrongCode();
  requireResource(grant, wanted.resource);

  const isFresh = !grant.code.usedAt && !grant.revokedAt;
  if (isFresh && grant.code.expiresAt <= at) throw wrongCode();
  const answer = isFresh ? await consume(grant, at, deps) : null;
  if (answer) return answer;

  await revokeReplayed({ grant, reason: 'code-replay', clientId: client._id, at }, deps);
  throw wrongCode();
}

function matchesGrant(
  { clientId, code }: GrantRecord,
  wanted: { client: OAuthClientRecord; code: string; redirectUri: string | undefined; verifier: string | undefined },
): boolean {
  return (
    clientId === wanted.client._id &&
    areEqualDigests(code.hash, sha256Hex(wanted.code)) &&
    code.redirectUri === wanted.redirectUri &&
    wanted.verifier !== undefined &&
    isVerifierOf(code.challenge, wanted.verifier)
  );
}

/** Returns null if another exchange or a revocation came first. */
async function consume(grant: GrantRecord, at: Date, { mint }: TokenDeps): Promise<TokenResponse | null> {
  const pair = mint.newPair(grant._id);
  // First: a failure after the code is used would cost the application its consent.
  const organization = await readOrganization(grant.organizationId);
  const access = {
    hash: sha256Hex(pair.accessToken),
    scopes: null,
    expiresAt: plusMs(at, lifetimes.accessTokenMs),
  };
  const consumed = await OAuthGrant.updateOne(
    { _id: grant._id, 'code.usedAt': null, revokedAt: null },
    {
      'code.usedAt': at,
      refresh: {
        hash: sha256Hex(pair.refreshToken),
        previousHash: null,
        rotatedAt: at,
        expiresAt: plusMs(at, lifetimes.refreshTokenMs),
      },
      accessTokens: [access],
      removeAt: plusMs(grant.expiresAt, lifetimes.keptAfterEndMs),
    },
  );
  return consumed.modifiedCount === 1 ? toTokenResponse({ pair, access, grant, organization, at }) : null;
}

/** One message for all causes, so a stolen code reveals nothing. */
function wrongCode(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is unknown, used or older than 60 s, or was issued for another client, redirect_uri or code_verifier.',
  );
}
