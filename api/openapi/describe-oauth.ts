import type { scopes } from '../../common/access/scopes.ts';
import { grantTypes } from '../../common/oauth/answer-token-request.ts';
import { oauthErrorTable } from '../../common/oauth/oauth-error.ts';
import { headersOf } from './headers.ts';
import type { JsonObject } from './schema-book.ts';
import { oauthTag } from './tags.ts';

type Addresses = { baseUrl: string; authUrl: string };

const meanings = {
  read: 'Read mail jobs, quotes and lists',
  send: 'Send mail jobs, which the user pays, upload their files, simulate',
  webhooks: 'Create and delete webhooks',
  addresses: 'Manage the address book',
  wallet: 'Read the wallet balance',
} as const satisfies Record<(typeof scopes)[number], string>;

/** Where an application gets its tokens, and how it says who it is there. */
export function describeOAuthSchemes({ baseUrl, authUrl }: Addresses): JsonObject {
  const authorizationCode = {
    authorizationUrl: `${authUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    refreshUrl: `${baseUrl}/oauth/token`,
    scopes: meanings,
  };
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'An application that acts for several users, each paying from a wallet of his own. PKCE by S256 is a must.',
      flows: { authorizationCode },
    },
    client: { type: 'http', scheme: 'basic', description: 'The client id and secret of an application.' },
  };
}

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more });

const clientFields = {
  client_id: text('The application; here or in the `Authorization: Basic` header.'),
  client_secret: text('Its secret; in the same place.'),
};
const clientExample = { client_id: 'bjc_k5x2v7q3n6a4c3d2', client_secret: 'the secret of your application' };
const grantId = 'm4n5b6v7c2x3z4q5';
const secretText = 'a2b3c4d5e6f7g2h3i4j5k6l7m2n3o4p5q6r7s2t3u4v5w6x7y2z3';
const accessToken = `bja_${grantId}_${secretText}`;
const refreshToken = `bjr_${grantId}_${secretText}q6r7s2t3u4v5w6x7`;

/** The OAuth routes of this host, which speak forms and errors of their own. */
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
      'A code is good once, for 60 s; an access token lives an hour, a refresh token 60 days from its last use, all ' +
      'together a year at most. Each refresh gives a new refresh token, and the former is spent. If the answer was ' +
      'lost, ask again within 30 s: it is the same. A spent token that comes later ends the whole grant.',
    required: ['grant_type'],
    properties: {
      grant_type: { type: 'string', enum: grantTypes },
      code: text('With `authorization_code`: what came back from the authorize page.'),
      redirect_uri: text('With `authorization_code`: the same as in the authorize request.'),
      code_verifier: text('With `authorization_code`: what the code_challenge was made from.'),
      refresh_token: text('With `refresh_token`.'),
      scope: text('With `refresh_token`: fewer scopes for this access token, separated by spaces.'),
    },
    example: { grant_type: 'refresh_token', refresh_token: refreshToken },
    answer: {
      description: 'A new pair of tokens.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/TokenAnswer' },
          example: {
            access_token: accessToken,
            token_type: 'Bearer',
            expires_in: 3600,
            refresh_token: refreshToken,
            scope: 'read send',
          },
        },
      },
    },
  });
}

function describeRevocation(): JsonObject {
  return describeForm({
    operationId: 'revokeToken',
    summary: 'Give a token back',
    description:
      'A refresh token ends the grant with all its tokens, an access token itself alone. An unknown one is answered alike.',
    required: ['token'],
    properties: {
      token: text('An access or refresh token.'),
      token_type_hint: text('Not needed: a token shows what it is.'),
    },
    example: { token: refreshToken },
    answer: { description: 'The token is worth nothing now.' },
  });
}

/** The bodies of the OAuth routes, by name. */
export const oauthSchemas: JsonObject = {
  TokenAnswer: {
    type: 'object',
    properties: {
      access_token: text('For `Authorization: Bearer`.', { pattern: '^bja_' }),
      token_type: { type: 'string', const: 'Bearer' },
      expires_in: { type: 'integer', description: 'Seconds.' },
      refresh_token: text('Keep it in the place of the former one.', { pattern: '^bjr_' }),
      scope: text('What the access token may do, separated by spaces.'),
    },
    required: ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
  },
  OAuthError: {
    type: 'object',
    properties: {
      error: text('For programs.', { examples: Object.keys(oauthErrorTable) }),
      error_description: text('For people, in English.'),
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
      '400': describeFailure(400, 'invalid_grant', 'The request is wrong: `error` says how.'),
      '401': describeFailure(401, 'invalid_client', 'The client is unknown, or its secret is missing or wrong.'),
      '405': describeFailure(405, 'invalid_request', 'Send it as POST.'),
      '429': describeFailure(429, 'temporarily_unavailable', 'Too many requests of this client, or from this address.'),
      '500': describeFailure(500, 'server_error', 'Something went wrong on our side.'),
      '503': describeFailure(503, 'temporarily_unavailable', 'A store is away.'),
    },
  };
}

function describeFailure(status: number, error: string, description: string): JsonObject {
  const schema = { $ref: '#/components/schemas/OAuthError' };
  const example = { error, error_description: description.replaceAll('`', '') };
  return { description, headers: ownHeadersOf(status), content: { 'application/json': { schema, example } } };
}

/** These routes count by application and address, and name no rest. */
function ownHeadersOf(status: number): JsonObject {
  const { RateLimit: _, 'RateLimit-Policy': _policy, ...headers } = headersOf(status);
  return headers;
}
