import type { ResultOf } from '../api/types.ts';
import { BluejayError, ConnectionError, OAuthError, readRetryAfterMs } from '../errors.ts';
import { attempt } from '../http/attempt.ts';
import { wait } from '../http/retry.ts';
import { type SavedTokens, TokenSource } from './token-source.ts';

export type Scope = 'read' | 'send' | 'webhooks' | 'addresses' | 'wallet';

export type OAuthOptions = {
  clientId: string;
  clientSecret: string;
  /** As it is registered for the application, character by character. */
  redirectUri: string;
  /** The URL of the API, which is also the issuer. */
  baseUrl: string;
  /** The URL of the web host, where users consent. */
  authUrl: string;
  timeoutMs?: number;
  fetch?: typeof fetch;
};

/** Keep `state` and `codeVerifier` in the session of the user until they come back. */
export type AuthorizationRequest = { url: string; state: string; codeVerifier: string };

export type Tokens = ResultOf<'issueToken'>;

const defaultTimeoutMs = 30_000;
const maxTries = 3;
const retryAfterMs = 500;

/** OAuth 2.0 with PKCE, for applications that act for several customers. Throws an `OAuthError`. */
export class BluejayOAuth {
  readonly #options: OAuthOptions;

  constructor(options: OAuthOptions) {
    this.#options = options;
  }

  /** Returns the URL to send a user to. */
  async authorizationUrl({ scopes }: { scopes: readonly Scope[] }): Promise<AuthorizationRequest> {
    const { authUrl, clientId, redirectUri } = this.#options;
    const [state, codeVerifier] = [randomText(), randomText()];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
    const url = new URL(`${authUrl.replace(/\/+$/, '')}/oauth/authorize`);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: toBase64Url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
    }).toString();
    return { url: url.href, state, codeVerifier };
  }

  /**
   * Exchanges the code of the URL that the user came back to. Throws an `OAuthError` with the code `invalid_state` when
   * the URL does not belong to this request, and with the code of the URL when the user has refused.
   */
  async exchangeCallback(
    callbackUrl: string | URL,
    { state, codeVerifier }: Pick<AuthorizationRequest, 'state' | 'codeVerifier'>,
  ): Promise<Tokens> {
    const { searchParams } = new URL(callbackUrl);
    const [code, issuer, error] = ['code', 'iss', 'error'].map((name) => searchParams.get(name));
    const isForeign = issuer != null && new URL(issuer).origin !== new URL(this.#options.baseUrl).origin;
    if (searchParams.get('state') !== state || isForeign) {
      throw new OAuthError({ code: 'invalid_state', message: 'The URL does not belong to this request.' });
    }
    if (error) throw new OAuthError({ code: error, message: searchParams.get('error_description') ?? error });
    return await this.exchangeCode({ code: code ?? '', codeVerifier });
  }

  /** Exchanges a code, which works once within 60 s. */
  exchangeCode({ code, codeVerifier }: { code: string; codeVerifier: string }): Promise<Tokens> {
    const { redirectUri } = this.#options;
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    // A code that is used twice ends the consent of the user, so its request is never repeated.
    return this.#post('/oauth/token', form, 1) as Promise<Tokens>;
  }

  /** Spends a refresh token. A repeat within 30 s, after a lost answer, returns the same tokens. */
  refresh(refreshToken: string): Promise<Tokens> {
    return this.#post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken }) as Promise<Tokens>;
  }

  /** Ends the access that a token belongs to. */
  async revoke(token: string): Promise<void> {
    await this.#post('/oauth/revoke', { token });
  }

  /**
   * Keeps the tokens of one user fresh: `new Bluejay({ apiKey: () => source.getAccessToken(), baseUrl })`. `onTokens`
   * stores new tokens before they are used; a lost refresh token cannot be replaced.
   */
  createTokenSource(tokens: Tokens | SavedTokens, onTokens: (tokens: SavedTokens) => unknown): TokenSource {
    return new TokenSource((refreshToken) => this.refresh(refreshToken), tokens, onTokens);
  }

  async #post(path: string, form: Record<string, string>, tries = maxTries): Promise<unknown> {
    const { baseUrl, clientId, clientSecret, timeoutMs = defaultTimeoutMs } = this.#options;
    const url = baseUrl.replace(/\/+$/, '') + path;
    const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret });
    const options = { fetch: this.#options.fetch ?? fetch.bind(globalThis), timeoutMs, signal: undefined };
    for (let left = tries - 1; ; left -= 1) {
      try {
        return await attempt({ url, method: 'POST', headers: {}, body }, options, readOAuthAnswer);
      } catch (error) {
        const isTemporary = error instanceof ConnectionError || (error instanceof BluejayError && error.status === 503);
        if (!isTemporary || left <= 0) throw error;
        await wait(Math.random() * retryAfterMs);
      }
    }
  }
}

async function readOAuthAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  let body: { error?: string; error_description?: string } = {};
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy answers without JSON.
  }
  throw new OAuthError({
    code: body.error ?? `HTTP_${response.status}`,
    message: body.error_description ?? `The answer was ${response.status} without an explanation.`,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: readRetryAfterMs(response.headers.get('retry-after')),
  });
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
