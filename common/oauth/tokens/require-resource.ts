import type { GrantRecord } from '#common/access/grant.model.ts';
import { OAuthError } from '../oauth-error.ts';

/**
 * Throws invalid_target when a token request names another resource than the user consented to (RFC 8707, 2.2).
 * `resource` is undefined when it names none.
 */
export function requireResource(
  grant: Partial<Pick<GrantRecord, 'resource'>>,
  resource: string | null | undefined,
): void {
  // Grants from before resources were stored: clients named them, without effect.
  if (grant.resource === undefined) return;
  if (resource === undefined || resource === grant.resource) return;
  throw new OAuthError('invalid_target', 'The resource is not that of the authorization request.');
}
