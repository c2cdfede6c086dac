import { scopes } from '#common/access/scopes.ts';
import { grantTypes } from '../tokens/handle-token-request.ts';

const authMethods = ['client_secret_basic', 'client_secret_post'];

/** Returns the authorization server metadata (RFC 8414). */
export function oauthMetadata({ baseUrl, authUrl }: { baseUrl: string; authUrl: string }) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    service_documentation: `${baseUrl}/docs`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    authorization_response_iss_parameter_supported: true,
  };
}
