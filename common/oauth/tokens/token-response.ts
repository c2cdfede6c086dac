import type { GrantRecord, RevocationReason } from '#common/access/grant.model.ts';
import type { Scope } from '#common/access/scopes.ts';
import type { OrganizationRecord } from '#common/organizations/organization.model.ts';
import type { TokenMint, TokenPair } from './token-mint.ts';

/** The access token response (RFC 6749, 5.1). */
export type TokenResponse = {
  access_token: string;
  token_type: 'Bearer';
  /** Whole seconds. */
  expires_in: number;
  refresh_token: string;
  /** Space-separated. */
  scope: string;
  /** The organization that pays. */
  organization_id: string;
  organization_name: string;
};

/** A replay of a spent code or refresh token: it was stolen, and its grant was revoked. */
export type TokenReplay = {
  grantId: string;
  clientId: string;
  organizationId: string;
  reason: Extract<RevocationReason, 'code-replay' | 'refresh-replay'>;
};

export type TokenDeps = {
  mint: TokenMint;
  /** Logs and counts a replay. Called once per revoked grant. */
  reportReplay(replay: TokenReplay): void;
};

export function toTokenResponse({
  pair,
  access,
  grant,
  organization,
  at,
}: {
  pair: TokenPair;
  access: { scopes: readonly Scope[] | null; expiresAt: Date };
  grant: Pick<GrantRecord, 'scopes'>;
  organization: Pick<OrganizationRecord, '_id' | 'name'>;
  at: Date;
}): TokenResponse {
  return {
    access_token: pair.accessToken,
    token_type: 'Bearer',
    // Rounded up, so an immediate repeat returns the same value.
    expires_in: Math.ceil((access.expiresAt.getTime() - at.getTime()) / 1_000),
    refresh_token: pair.refreshToken,
    scope: (access.scopes ?? grant.scopes).join(' '),
    organization_id: organization._id,
    organization_name: organization.name,
  };
}
