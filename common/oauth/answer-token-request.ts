import type { OAuthClientRecord } from './client.model.ts';
import { exchangeCode } from './exchange-code.ts';
import { OAuthError } from './oauth-error.ts';
import { type Parameters, required } from './parameters.ts';
import { rotateRefreshToken } from './rotate-refresh-token.ts';
import type { OAuthTools, TokenAnswer } from './token-answer.ts';

/** What a token request may be made with, in the words of the metadata document. */
export const grantTypes = ['authorization_code', 'refresh_token'] as const;

/** Answers the token request of a client whose secret was right. Throws OAuthError. */
export async function answerTokenRequest(
  { client, parameters, at }: { client: OAuthClientRecord; parameters: Parameters; at: Date },
  tools: OAuthTools,
): Promise<TokenAnswer> {
  const grantType = required(parameters, 'grant_type');
  switch (grantType) {
    case 'authorization_code': {
      const code = required(parameters, 'code');
      const redirectUri = parameters.get('redirect_uri');
      const verifier = parameters.get('code_verifier');
      return await exchangeCode({ client, code, redirectUri, verifier, at }, tools);
    }
    case 'refresh_token': {
      const refreshToken = required(parameters, 'refresh_token');
      return await rotateRefreshToken({ client, refreshToken, scope: parameters.get('scope'), at }, tools);
    }
    default:
      throw new OAuthError('unsupported_grant_type', `The grant_type must be ${grantTypes.join(' or ')}.`);
  }
}
