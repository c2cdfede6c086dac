import type { scopes } from '#common/access/scopes.ts';
import { oauthErrorTable } from '#common/oauth/oauth-error.ts';
import { grantTypes } from '#common/oauth/tokens/handle-token-request.ts';
import { aCaller } from './examples/account-examples.ts';
import { headersOf } from './headers.ts';
import type { JsonObject } from './schema-registry.ts';
import { oauthTag } from './tags.ts';

type Addresses = { baseUrl: string; authUrl: string };

/** What each scope grants. */
export const scopeDescriptions = {
  read: 'Read mail jobs, quotes and lists',
  send: 'Send mail jobs at the expense of the user, upload files, simulate',
  webhooks: 'Create and delete webhooks',
  addresses: 'Manage the address book',
  wallet: 'Read the wallet balance',
} as const satisfies Record<(typeof scopes)[number], string>;

/** Returns the security schemes for OAuth: the authorization code flow and client authentication. */
export function describeOAuthSchemes({ baseUrl, authUrl }: Addresses): JsonObject {
  const authorizationCode = {
    authorizationUrl: `${authUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    refreshUrl: `${baseUrl}/oauth/token`,
    scopes: scopeDescriptions,
  };
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'For applications that act for several users, each of whom pays from their own wallet. PKCE with S256 is required.',
      flows: { authorizationCode },
    },
    client: { type: 'http', scheme: 'basic', description: 'Client ID and secret of an application.' },
  };
}

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more });

const clientFields = {
  client_id: text(
    'Client ID of the application. Send it here or in the `Authorization: Basic` header. Of a public client: the URL of its metadata, here.',
  ),
  client_secret: text('Client secret. Send it in the same place as the client ID. A public client has none.'),
};
const clientExample = { client_id: 'bjc_k5x2v7q3n6a4c3d2', client_secret: 'the secret of your application' };
const { organizationId, organizationName } = aCaller;
const grantId = 'm4n5b6v7c2x3z4q5';
const secretText = 'a2b3c4d5e6f7g2h3i4j5k6l7m2n3o4p5q6r7s2t3u4v5w6x7y2z3';
const accessToken = `bja_${grantId}_${secretText}`;
const refreshToken = `bjr_${grantId}_${secretText}q6r7s2t3u4v5w6x7`;

/** Returns the paths of the OAuth routes, which take form bodies and return OAuth errors. */
export function describeOAuthPaths(): JsonObject {
  return {
    '/oauth/token': { post: describeTokenRequest() },
    '/oauth/revoke': { post: describeRevocation() },
  };
}

function describeTokenRequest(): JsonObject {
  return describeForm({
    operationId: 'issueToken',
    summary: 'Exchange a code or a refresh token',
    description:
      'A code can be used once within 60 s. An access token is valid for one hour, a refresh token for 60 days after its ' +
      'last use, and the grant for at most one year. Each refresh returns a new refresh token and invalidates the ' +
      'previous one. If the response was lost, repeat the request within 30 s to get the same tokens. Reusing a spent ' +
      'token later revokes the whole grant.',
    required: ['grant_type'],
    properties: {
      grant_type: { type: 'string', enum: grantTypes },
      code: text('With `authorization_code`: the code returned by the authorize page.'),
      redirect_uri: text('With `authorization_code`: the same value as in the authorize request.'),
      code_verifier: text('With `authorization_code`: the verifier of the `code_challenge`.'),
      refresh_token: text('With `refresh_token`: the current refresh token.'),
      resource: text('Optional (RFC 8707): the `resource` of the authorize request.'),
      scope: text('With `refresh_token`: a subset of the scopes for this access token, separated by spaces.'),
    },
    example: { grant_type: 'refresh_token', refresh_token: refreshToken },
    answer: {
      description: 'A new access token and refresh token.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/TokenAnswer' },
          example: {
            access_token: accessToken,
            token_type: 'Bearer',
            expires_in: 3600,
            refresh_token: refreshToken,
            scope: 'read send',
            organization_id: organizationId,
            organization_name: organizationName,
          },
        },
      },
    },
  });
}

function describeRevocation(): JsonObject {
  return describeForm({
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'Revoking a refresh token ends the grant and all its tokens. Revoking an access token affects only that token. Unknown tokens get the same response.',
    required: ['token'],
    properties: {
      token: text('An access or refresh token.'),
      token_type_hint: text('Optional. The prefix of the token already identifies its type.'),
    },
    example: { token: refreshToken },
    answer: { description: 'The token is no longer valid.' },
  });
}

/** The response bodies of the OAuth routes, by name. */
export const oauthSchemas: JsonObject = {
  TokenAnswer: {
    type: 'object',
    properties: {
      access_token: text('Access token for the `Authorization: Bearer` header.', { pattern: '^bja_' }),
      token_type: { type: 'string', const: 'Bearer' },
      expires_in: { type: 'integer', description: 'Lifetime of the access token in seconds.' },
      refresh_token: text('New refresh token. It replaces the previous one.', { pattern: '^bjr_' }),
      scope: text('Scopes of the access token, separated by spaces.'),
      organization_id: text('The organization of the user, whose wallet pays.'),
      organization_name: text('Its name. Show it, so that users see for whom they are connected.'),
    },
    required: [
      ...['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
      ...['organization_id', 'organization_name'],
    ],
  },
  OAuthError: {
    type: 'object',
    properties: {
      error: text('Machine-readable error code.', { examples: Object.keys(oauthErrorTable) }),
      error_description: text('Human-readable message in English.'),
    },
    required: ['error', 'error_description'],
  },
};

type Form = {
  operationId: string;
  summary: string;
  description: string;
  required: string[];
  properties: Record<string, JsonObject>;
  example: JsonObject;
  answer: JsonObject;
};

function describeForm({ operationId, summary, description, required, properties, example, answer }: Form): JsonObject {
  const schema = { type: 'object', properties: { ...properties, ...clientFields }, required };
  const form = { schema, example: { ...example, ...clientExample } };
  return {
    operationId,
    summary,
    description,
    tags: [oauthTag.name],
    security: [{ client: [] }, {}],
    requestBody: { required: true, content: { 'application/x-www-form-urlencoded': form } },
    responses: {
      '200': { ...answer, headers: ownHeadersOf(200) },
      '400': describeFailure(400, 'invalid_grant', 'The request is invalid. See `error`.'),
      '401': describeFailure(401, 'invalid_client', 'The client is unknown, or its secret is missing or wrong.'),
      '405': describeFailure(405, 'invalid_request', 'Use POST.'),
      '429': describeFailure(
        429,
        'temporarily_unavailable',
        'Too many successful requests of this client per minute, or too many failed requests from this address.',
      ),
      '500': describeFailure(500, 'server_error', 'Something went wrong on our side.'),
      '503': describeFailure(
        503,
        'temporarily_unavailable',
        'Temporarily unavailable. Retry after the time in `Retry-After`.',
      ),
    },
  };
}

function describeFailure(status: number, error: string, description: string): JsonObject {
  const schema = { $ref: '#/components/schemas/OAuthError' };
  const example = { error, error_description: description.replaceAll('`', '') };
  return { description, headers: ownHeadersOf(status), content: { 'application/json': { schema, example } } };
}

/** Without the rate limit headers, because these routes count by application and address. */
function ownHeadersOf(status: number): JsonObject {
  const { RateLimit: _, 'RateLimit-Policy': _policy, ...headers } = headersOf(status);
  return headers;
}
