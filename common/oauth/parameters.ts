import { type Scope, scopes } from '../access/scopes.ts';
import { OAuthError } from './oauth-error.ts';

/**
 * Request parameters by name, without repeated ones. A parameter without a value counts as absent (RFC 6749, 3.1 and
 * 3.2).
 */
export type Parameters = ReadonlyMap<string, string>;

/** Returns the parameters with a value, and the names of repeated parameters. */
export function sortParameters(pairs: URLSearchParams): { parameters: Parameters; repeated: ReadonlySet<string> } {
  const repeated = new Set([...pairs.keys()].filter((name) => pairs.getAll(name).length > 1));
  return { parameters: new Map([...pairs].filter(([name, value]) => value !== '' && !repeated.has(name))), repeated };
}

/**
 * Returns the parameters of a form. Throws invalid_request for a repeated parameter: two parsers could pick different
 * values.
 */
export function readParameters(pairs: URLSearchParams): Parameters {
  const { parameters, repeated } = sortParameters(pairs);
  const [name] = repeated;
  if (name !== undefined) throw repeatedParameter(name);
  return parameters;
}

export function repeatedParameter(name: string): OAuthError {
  return new OAuthError('invalid_request', `The parameter ${describeName(name)} is given more than once.`);
}

/** Returns a required parameter. Throws invalid_request. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

/**
 * Returns a caller's text for an error description, which must not contain quotes, backslashes or non-ASCII characters
 * (RFC 6749, 5.2).
 */
export function describeName(text: string): string {
  return /^[\w.-]{1,64}$/.test(text) ? text : '(unknown)';
}

/**
 * Returns the scopes of a space-separated list (RFC 6749, 3.3) in the specification's order. Throws invalid_scope for
 * an unknown scope, one not in `allowed`, or an empty list.
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
