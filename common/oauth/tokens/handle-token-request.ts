import type { OAuthClientRecord } from '../client.model.ts';
import { OAuthError } from '../oauth-error.ts';
import { type Parameters, required } from '../parameters.ts';
import { exchangeCode } from './exchange-code.ts';
import { rotateRefreshToken } from './rotate-refresh-token.ts';
import type { TokenDeps, TokenResponse } from './token-response.ts';

/** The supported grant types, also listed in the metadata. */
export const grantTypes = ['authorization_code', 'refresh_token'] as const;

/** Returns the response to the token request of an authenticated client. Throws OAuthError. */
export async function handleTokenRequest(
  { client, parameters, at }: { client: OAuthClientRecord; parameters: Parameters; at: Date },
  deps: TokenDeps,
): Promise<TokenResponse> {
  const grantType = required(parameters, 'grant_type');
  switch (grantType) {
    case 'authorization_code': {
      const code = required(parameters, 'code');
      const redirectUri = parameters.get('redirect_uri');
      const verifier = parameters.get('code_verifier');
      return await exchangeCode({ client, code, redirectUri, verifier, at }, deps);
    }
    case 'refresh_token': {
      const refreshToken = required(parameters, 'refresh_token');
      return await rotateRefreshToken({ client, refreshToken, scope: parameters.get('scope'), at }, deps);
    }
    default:
      throw new OAuthError('unsupported_grant_type', `The grant_type must be ${grantTypes.join(' or ')}.`);
  }
}
