import type { Scope } from '#common/access/scopes.ts';
import { isPublicClient, type OAuthClientRecord } from '../client.model.ts';
import { type ClientFinder, findRegisteredClient } from '../clients/find-client.ts';
import { isLoopbackUri, isRegisteredUri } from '../clients/redirect-uri.ts';
import { OAuthError } from '../oauth-error.ts';
import { type Parameters, readScopes, repeatedParameter, required, sortParameters } from '../parameters.ts';
import { isChallenge } from '../pkce.ts';
import { readResource } from '../resources.ts';

/** `mode` is null for a public client: the user chooses. */
export type AskingClient = Pick<OAuthClientRecord, 'name' | 'mode' | 'redirectUris' | 'scopes'> & { id: string };

/** A validated authorization request. */
export type AuthorizeRequest = {
  client: AskingClient;
  redirectUri: string;
  /** At least one, in the specification's order. */
  scopes: Scope[];
  /** The only resource that the tokens are for (RFC 8707); null for the whole API. */
  resource: string | null;
  /** Returned unchanged; null if absent. */
  state: string | null;
  /** The PKCE challenge (S256). */
  challenge: string;
};

export type AuthorizeOutcome =
  /** The redirect URI is not trusted: respond with an error page, status 400, that names the parameter. */
  | { kind: 'page-error'; parameter: 'client_id' | 'redirect_uri' }
  /** The metadata of the public client cannot be fetched for now: respond with an error page, status 400. */
  | { kind: 'unreachable' }
  /** Redirect to the application with the error in the query. */
  | { kind: 'redirect'; location: string }
  /** Respond with an error page, status 400, that shows the error and links to the application. */
  | { kind: 'link'; location: string; description: string }
  /** Ask the user for consent. */
  | { kind: 'request'; request: AuthorizeRequest };

/**
 * Validates the query of an authorization request (RFC 6749, 4.1.1, with PKCE, RFC 7636). Every redirect names `issuer`
 * (RFC 9207). Redirects only to a URI that matches a registered one (RFC 9700, 2.1). Anyone can publish the metadata of a
 * public client with any https URI, so its errors never redirect there: that would make this server an open redirector
 * (RFC 9700, 4.11.2).
 */
export async function readAuthorizeRequest(
  pairs: URLSearchParams,
  issuer: string,
  findClient: ClientFinder = findRegisteredClient,
): Promise<AuthorizeOutcome> {
  const { parameters, repeated } = sortParameters(pairs);
  const clientId = parameters.get('client_id');
  const client = clientId && (await findClient(clientId));
  if (!client) return { kind: 'page-error', parameter: 'client_id' };
  if (client === 'unreachable') return { kind: 'unreachable' };
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined || !isRegisteredUri(redirectUri, client)) {
    return { kind: 'page-error', parameter: 'redirect_uri' };
  }
  const state = parameters.get('state') ?? null;
  try {
    const [name] = repeated;
    if (name !== undefined) throw repeatedParameter(name);
    return { kind: 'request', request: { ...parseRequest(client, parameters, issuer), redirectUri, state } };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const location = redirectWith(redirectUri, { ...error.toBody(), state, iss: issuer });
    const isTrusted = !isPublicClient(client) || isLoopbackUri(redirectUri);
    return isTrusted ? { kind: 'redirect', location } : { kind: 'link', location, description: error.message };
  }
}

function parseRequest(
  client: OAuthClientRecord,
  parameters: Parameters,
  issuer: string,
): Pick<AuthorizeRequest, 'client' | 'scopes' | 'resource' | 'challenge'> {
  if (required(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type is code.');
  }
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'The only response_mode is query.');
  }
  const challenge = required(parameters, 'code_challenge');
  // Absent means `plain` (RFC 7636, 4.3), which gives no protection.
  if (parameters.get('code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'The code_challenge_method must be S256.');
  }
  if (!isChallenge(challenge)) {
    throw new OAuthError('invalid_request', 'The code_challenge must be 43 to 128 of A-Z a-z 0-9 - . _ ~');
  }
  const scopes = readScopes(parameters.get('scope') ?? '', client.scopes);

  const asked = parameters.get('resource');
  const resource = asked === undefined ? null : readResource(asked, issuer);
  const { _id: id, name, mode, redirectUris, scopes: open } = client;
  return { client: { id, name, mode, redirectUris, scopes: open }, scopes, resource, challenge };
}

/**
 * Returns a redirect URI with parameters appended to its query, without null ones. The registered URI itself stays
 * unchanged.
 */
export function redirectWith(redirectUri: string, parameters: Record<string, string | null>): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null);
  const separator = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${new URLSearchParams(pairs)}`;
}
