import type { Scope } from '../access/scopes.ts';
import type { GrantRecord, RevocationReason } from './grant.model.ts';
import type { TokenMint, TokenPair } from './token-mint.ts';

/** The body of a successful token request (RFC 6749, 5.1). */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  /** Whole seconds. */
  expires_in: number;
  refresh_token: string;
  /** Separated by spaces. */
  scope: string;
};

/** A code or refresh token came again after it was spent: somebody has stolen it, and its grant was ended. */
export type TokenReplay = {
  grantId: string;
  clientId: string;
  organizationId: string;
  reason: Extract<RevocationReason, 'code-replay' | 'refresh-replay'>;
};

/** What issuing tokens takes besides the database. */
export type OAuthTools = {
  mint: TokenMint;
  /** For log and metric; called once for each grant that ends so. */
  reportReplay(replay: TokenReplay): void;
};

export function toTokenAnswer({
  pair,
  access,
  grant,
  at,
}: {
  pair: TokenPair;
  access: { scopes: readonly Scope[] | null; expiresAt: Date };
  grant: Pick<GrantRecord, 'scopes'>;
  at: Date;
}): TokenAnswer {
  return {
    access_token: pair.accessToken,
    token_type: 'Bearer',
    // Rounded up: an answer that is given again at once says the same.
    expires_in: Math.ceil((access.expiresAt.getTime() - at.getTime()) / 1_000),
    refresh_token: pair.refreshToken,
    scope: (access.scopes ?? grant.scopes).join(' '),
  };
}
