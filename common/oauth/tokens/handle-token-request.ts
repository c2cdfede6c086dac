import type { OAuthClientRecord } from '../client.model.ts';
import { OAuthError } from '../oauth-error.ts';
import { type Parameters, required } from '../parameters.ts';
import { readResource } from '../resources.ts';
import { exchangeCode } from './exchange-code.ts';
import { rotateRefreshToken } from './rotate-refresh-token.ts';
import type { TokenDeps, TokenResponse } from './token-response.ts';

/** The supported grant types, also listed in the metadata. */
export const grantTypes = ['authorization_code', 'refresh_token'] as const;

/** Returns the response to the token request of an authenticated client. Throws OAuthError. */
export async function handleTokenRequest(
  { client, parameters, at, issuer }: { client: OAuthClientRecord; parameters: Parameters; at: Date; issuer: string },
  deps: TokenDeps,
): Promise<TokenResponse> {
  const grantType = required(parameters, 'grant_type');
  const asked = parameters.get('resource');
  const resource = asked === undefined ? undefined : readResource(asked, issuer);
  switch (grantType) {
    case 'authorization_code': {
      const code = required(parameters, 'code');
      const redirectUri = parameters.get('redirect_uri');
      const verifier = parameters.get('code_verifier');
      return await exchangeCode({ client, code, redirectUri, verifier, resource, at }, deps);
    }
    case 'refresh_token': {
      const refreshToken = required(parameters, 'refresh_token');
      return await rotateRefreshToken({ client, refreshToken, scope: parameters.get('scope'), resource, at }, deps);
    }
    default:
      throw new OAuthError('unsupported_grant_type', `The grant_type must be ${grantTypes.join(' or ')}.`);
  }
}
