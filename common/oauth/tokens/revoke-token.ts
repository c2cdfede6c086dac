import { type GrantRecord, OAuthGrant } from '#common/access/grant.model.ts';
import { sha256Hex } from '#common/secrets.ts';
import type { OAuthClientRecord } from '../client.model.ts';
import { revokeGrant } from './revoke-grants.ts';
import { grantIdOf, type TokenMint } from './token-mint.ts';

/**
 * Revokes a token (RFC 7009). A refresh token, even a spent one, revokes its grant with all tokens; an access token
 * only itself. Ignores unknown tokens and those of other clients. `token_type_hint` is not needed: tokens show their
 * type.
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
  // A token issued under a key no longer in the key ring is recognized by its hash only.
  const isGenuine = grant?.refresh?.hash === hash || grant?.refresh?.previousHash === hash || mint.wasIssued(token);
  if (grant && isGenuine) await revokeGrant(grant, at);
}
