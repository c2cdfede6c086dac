import { createHash, randomBytes } from 'node:crypto';
import { scopes as allScopes, type Scope } from '#common/access/scopes.ts';
import type { Mode } from '#common/modes.ts';
import { readAuthorizeRequest } from '#common/oauth/authorization/authorize.ts';
import { grantConsent } from '#common/oauth/authorization/consent.ts';
import { createClient as registerClient } from '#common/oauth/clients/create-client.ts';
import type { TokenResponse } from '#common/oauth/tokens/token-response.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { type Answer, aPostalAddress, createClient } from './customer.ts';
import type { World } from './world.ts';

export type Form = Record<string, string | undefined>;

/** An authorization request: its parameters and the PKCE verifier. */
export type Attempt = { verifier: string; query: URLSearchParams };

export type Application = Awaited<ReturnType<typeof anApplication>>;

/** Registers an application and returns a client of the OAuth routes for it. */
export async function anApplication(
  world: World,
  options: { mode?: Mode; scopes?: readonly Scope[]; redirectUri?: string; tokensPerMinute?: number } = {},
) {
  const { mode = 'test', scopes = allScopes, redirectUri = 'https://app.example/back?from=bluejay' } = options;
  const { tokensPerMinute = null } = options;
  const wanted = { name: 'An app', mode, scopes, redirectUris: [redirectUri], tokensPerMinute };
  const { record, secret } = await registerClient(wanted, world.clock.now());
  const clientId = record._id;
  const http = createClient(world.url);

  const own = { client_id: clientId, client_secret: secret };
  const post = (path: string, form: Form, headers: Record<string, string> = {}): Promise<Answer> =>
    http.request('POST', path, { body: new URLSearchParams(present(form)), headers });
  const token = (form: Form) => post('/oauth/token', { ...own, ...form });

  /** Lets the user of an organization consent, and returns the redirect URL. */
  async function consent(organizationId: string, attempt: Attempt): Promise<URL> {
    const issuer = world.config.http.baseUrl;
    const reading = await readAuthorizeRequest(attempt.query, issuer);
    if (reading.kind !== 'request') throw new Error(`The request was refused: ${JSON.stringify(reading)}`);
    const user = { _id: 'usr_1', organizationId };
    const { request } = reading;
    const location = await grantConsent({ request, user, issuer, mint: world.tokenMint, at: world.clock.now() });
    return new URL(location);
  }

  /** Returns a valid form that exchanges a new code. Tests change single fields. */
  async function codeForm(organizationId: string, asked: readonly Scope[] = scopes): Promise<Form> {
    const attempt = anAttempt({ clientId, redirectUri, scopes: asked });
    const { searchParams } = await consent(organizationId, attempt);
    const code = searchParams.get('code') ?? '';
    return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: attempt.verifier };
  }

  return {
    clientId,
    secret,
    redirectUri,
    post,
    token,
    consent,
    codeForm,
    refresh: (refreshToken: string, scope?: string) =>
      token({ grant_type: 'refresh_token', refresh_token: refreshToken, scope }),
    revoke: (form: Form) => post('/oauth/revoke', { ...own, ...form }),

    /** Returns tokens for a new or the given organization. */
    async authorize(options: { organizationId?: string; scopes?: readonly Scope[] } = {}): Promise<TokenResponse> {
      const organizationId = options.organizationId ?? (await anOrganization(world));
      return (await token(await codeForm(organizationId, options.scopes))).body;
    },
  };
}

export async function anOrganization(world: World): Promise<string> {
  const account = { name: 'Peeters NV', address: aPostalAddress() };
  return (await openAccount(account, world.keyRing, world.clock.now()))._id;
}

export function anAttempt(options: {
  clientId: string;
  redirectUri: string;
  scopes: readonly Scope[];
  state?: string;
}): Attempt {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: options.clientId,
    redirect_uri: options.redirectUri,
    scope: options.scopes.join(' '),
    state: options.state ?? 'xyz',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  return { verifier, query };
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Returns the status of a route under /v1 for an access token. */
export async function statusOf(world: World, accessToken: string, path = '/v1/wallet'): Promise<number> {
  return (await createClient(world.url, accessToken).get(path)).status;
}

function present(form: Form): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined));
}
