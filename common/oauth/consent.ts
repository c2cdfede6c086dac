import { plusMs } from '../clock.ts';
import { sha256Hex } from '../secrets.ts';
import type { AuthorizeRequest } from './authorize.ts';
import { type GrantRecord, OAuthGrant } from './grant.model.ts';
import { lifetimes } from './lifetimes.ts';
import { redirectWith } from './redirect-with.ts';
import { newGrantId, type TokenMint } from './token-mint.ts';

/** The user said yes: a one-time code for the application. Returns the address to send the user to. */
export async function grantConsent({
  request,
  user,
  issuer,
  mint,
  at,
}: {
  request: AuthorizeRequest;
  /** Who is signed in: that organization's wallet pays for what the application sends. */
  user: { _id: string; organizationId: string };
  issuer: string;
  mint: TokenMint;
  at: Date;
}): Promise<string> {
  const { client, redirectUri, scopes, state, challenge } = request;
  const grantId = newGrantId();
  const code = mint.newCode(grantId);
  const codeExpiresAt = plusMs(at, lifetimes.codeMs);
  const record: GrantRecord = {
    _id: grantId,
    clientId: client.id,
    organizationId: user.organizationId,
    userId: user._id,
    mode: client.mode,
    scopes,
    code: { hash: sha256Hex(code), redirectUri, challenge, expiresAt: codeExpiresAt, usedAt: null },
    refresh: null,
    accessTokens: [],
    createdAt: at,
    expiresAt: plusMs(at, lifetimes.grantMs),
    revokedAt: null,
    revokedBecause: null,
    removeAt: plusMs(codeExpiresAt, lifetimes.keptAfterEndMs),
  };
  await OAuthGrant.create([record]);

  return redirectWith(redirectUri, { code, state, iss: issuer });
}

/** The user said no. Returns the address to send the user to. */
export function denyConsent({ request, issuer }: { request: AuthorizeRequest; issuer: string }): string {
  const { redirectUri, state } = request;
  return redirectWith(redirectUri, { error: 'access_denied', state, iss: issuer });
}
