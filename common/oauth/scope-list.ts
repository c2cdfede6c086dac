import { type Scope, scopes } from '../access/scopes.ts';
import { OAuthError } from './oauth-error.ts';
import { describeName } from './parameters.ts';

/**
 * The scopes of a request, separated by spaces (RFC 6749, 3.3), in the specification's order. Throws invalid_scope for
 * one that is unknown or not among `allowed`, and for none at all.
 */
export function readScopes(text: string, allowed: readonly Scope[]): Scope[] {
  const wanted = new Set(text.split(' ').filter((word) => word !== ''));
  const refused = [...wanted].find((word) => !allowed.some((scope) => scope === word));
  if (refused !== undefined) {
    throw new OAuthError('invalid_scope', `The scope ${describeName(refused)} is not open to this application.`);
  }
  const found = scopes.filter((scope) => wanted.has(scope));
  if (found.length === 0) throw new OAuthError('invalid_scope', `Ask for at least one of ${allowed.join(', ')}.`);
  return found;
}
