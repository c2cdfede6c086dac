/**
 * The error codes of OAuth 2.0 (RFC 6749, 4.1.2.1 and 5.2; RFC 8707, 2) in use, with the HTTP status of a response that is not a
 * redirect.
 */
export const oauthErrorTable = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 400,
  server_error: 500,
  temporarily_unavailable: 503,
} as const satisfies Record<string, number>;

export type OAuthErrorCode = keyof typeof oauthErrorTable;

/** An OAuth error response: a code for the client, a description for its developer. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }

  get status(): number {
    return oauthErrorTable[this.code];
  }

  /** Returns the response body (RFC 6749, 5.2). */
  toBody(): { error: OAuthErrorCode; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}
