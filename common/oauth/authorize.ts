import type { Scope } from '../access/scopes.ts';
import type { Mode } from '../modes.ts';
import { OAuthClient, type OAuthClientRecord } from './client.model.ts';
import { OAuthError } from './oauth-error.ts';
import { type Parameters, repeatedParameter, required, sortParameters } from './parameters.ts';
import { isChallenge } from './pkce.ts';
import { redirectWith } from './redirect-with.ts';
import { readScopes } from './scope-list.ts';

/** What an application asks of a user, checked. */
export type AuthorizeRequest = {
  client: { id: string; name: string; mode: Mode };
  redirectUri: string;
  /** At least one, in the specification's order. */
  scopes: Scope[];
  /** Handed back as it came; null when there was none. */
  state: string | null;
  /** The application's PKCE challenge, S256. */
  challenge: string;
};

/** What became of an authorize request. */
export type AuthorizeReading =
  /** Nobody may be sent anywhere: answer a page with status 400, which names the parameter at fault. */
  | { kind: 'page-error'; parameter: 'client_id' | 'redirect_uri' }
  /** Send the user back to the application, with the error in the address. */
  | { kind: 'redirect'; location: string }
  /** Ask the user. */
  | { kind: 'request'; request: AuthorizeRequest };

/**
 * Reads the query of an authorize request (RFC 6749, 4.1.1, with PKCE after RFC 7636). `issuer` is named in every
 * redirect (RFC 9207). Nobody is redirected to an address that is not, character by character, one that the
 * application has registered (RFC 9700, 2.1).
 */
export async function readAuthorizeRequest(pairs: URLSearchParams, issuer: string): Promise<AuthorizeReading> {
  const { parameters, repeated } = sortParameters(pairs);
  const clientId = parameters.get('client_id');
  const client = clientId && (await OAuthClient.findById(clientId).lean<OAuthClientRecord>());
  if (!client || client.disabledAt) return { kind: 'page-error', parameter: 'client_id' };
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) {
    return { kind: 'page-error', parameter: 'redirect_uri' };
  }
  const state = parameters.get('state') ?? null;
  try {
    const [name] = repeated;
    if (name !== undefined) throw repeatedParameter(name);
    return { kind: 'request', request: { ...readWishes(client, parameters), redirectUri, state } };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { kind: 'redirect', location: redirectWith(redirectUri, { ...error.toBody(), state, iss: issuer }) };
  }
}

function readWishes(
  client: OAuthClientRecord,
  parameters: Parameters,
): Pick<AuthorizeRequest, 'client' | 'scopes' | 'challenge'> {
  if (required(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type is code.');
  }
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'The only response_mode is query.');
  }
  const challenge = required(parameters, 'code_challenge');
  // Left out it would mean plain (RFC 7636, 4.3), which protects nobody.
  if (parameters.get('code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'The code_challenge_method must be S256.');
  }
  if (!isChallenge(challenge)) {
    throw new OAuthError('invalid_request', 'The code_challenge must be 43 to 128 of A-Z a-z 0-9 - . _ ~');
  }
  const scopes = readScopes(parameters.get('scope') ?? '', client.scopes);

  return { client: { id: client._id, name: client.name, mode: client.mode }, scopes, challenge };
}
