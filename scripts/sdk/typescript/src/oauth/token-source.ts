/** The answer of the token route. */
type TokenAnswer = { access_token: string; refresh_token: string; expires_in: number };

/** What to store of a user's tokens. */
export type SavedTokens = {
  accessToken: string;
  refreshToken: string;
  /** When the access token ends, in ms since 1970. */
  expiresAtMs: number;
};

/** An access token is replaced this long before its end, so that no request arrives with an expired one. */
const marginMs = 60_000;

/** Returns the access token of one user and refreshes it when it is about to end, once for all callers. */
export class TokenSource {
  readonly #refresh: (refreshToken: string) => Promise<TokenAnswer>;
  readonly #onTokens: (tokens: SavedTokens) => unknown;
  #tokens: SavedTokens;
  #inFlight: Promise<string> | null = null;

  constructor(
    refresh: (refreshToken: string) => Promise<TokenAnswer>,
    tokens: TokenAnswer | SavedTokens,
    onTokens: (tokens: SavedTokens) => unknown,
  ) {
    this.#refresh = refresh;
    this.#onTokens = onTokens;
    this.#tokens = 'accessToken' in tokens ? tokens : toSaved(tokens);
  }

  /** Returns a valid access token. Callers that come while it is refreshed get the same new token. */
  async getAccessToken(): Promise<string> {
    if (Date.now() < this.#tokens.expiresAtMs - marginMs) return this.#tokens.accessToken;
    return await this.refresh();
  }

  /** Refreshes the token now, for instance after a 401. One refresh at a time runs; all callers share it. */
  refresh(): Promise<string> {
    this.#inFlight ??= this.#refreshOnce().finally(() => {
      this.#inFlight = null;
    });
    return this.#inFlight;
  }

  async #refreshOnce(): Promise<string> {
    const tokens = toSaved(await this.#refresh(this.#tokens.refreshToken));
    this.#tokens = tokens;
    await this.#onTokens(tokens);
    return tokens.accessToken;
  }
}

function toSaved({ access_token, refresh_token, expires_in }: TokenAnswer): SavedTokens {
  const expiresAtMs = Date.now() + expires_in * 1_000;
  return { accessToken: access_token, refreshToken: refresh_token, expiresAtMs };
}
