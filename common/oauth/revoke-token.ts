import { sha256Hex } from '../secrets.ts';
import type { OAuthClientRecord } from './client.model.ts';
import { type GrantRecord, OAuthGrant } from './grant.model.ts';
import { revokeGrant } from './revoke-grants.ts';
import { grantIdOf, type TokenMint } from './token-mint.ts';

/**
 * An application gives a token back (RFC 7009): a refresh token, a spent one too, ends its grant and all its tokens, an
 * access token only itself. What is unknown, or another client's, is left alone without a word. A hint about the kind
 * is not needed: tokens show what they are.
 */
export async function revokeToken(
  { client, token, at }: { client: OAuthClientRecord; token: string; at: Date },
  mint: TokenMint,
): Promise<void> {
  const clientId = client._id;
  const hash = sha256Hex(token);
  const accessOf = grantIdOf('access', token);
  if (accessOf !== null) {
    await OAuthGrant.updateOne({ _id: accessOf, clientId }, { $pull: { accessTokens: { hash } } });
    return;
  }
  const refreshOf = grantIdOf('refresh', token);
  if (refreshOf === null) return;
  const grant = await OAuthGrant.findOne({ _id: refreshOf, clientId }).lean<GrantRecord>();
  // Tokens from before a change of the server's key are known by their hash alone.
  const isGenuine = grant?.refresh?.hash === hash || grant?.refresh?.previousHash === hash || mint.wasIssued(token);
  if (grant && isGenuine) await revokeGrant(grant, at);
}
