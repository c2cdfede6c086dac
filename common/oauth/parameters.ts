import { OAuthError } from './oauth-error.ts';

/** The parameters of a request, each once. One without a value counts as absent (RFC 6749, 3.1 and 3.2). */
export type Parameters = ReadonlyMap<string, string>;

/** The parameters that have a value, and the names that came more than once. */
export function sortParameters(pairs: URLSearchParams): { parameters: Parameters; repeated: ReadonlySet<string> } {
  const repeated = new Set([...pairs.keys()].filter((name) => pairs.getAll(name).length > 1));
  return { parameters: new Map([...pairs].filter(([name, value]) => value !== '' && !repeated.has(name))), repeated };
}

/** The parameters of a form. Throws invalid_request when one is repeated: two readers might each take another. */
export function readParameters(pairs: URLSearchParams): Parameters {
  const { parameters, repeated } = sortParameters(pairs);
  const [name] = repeated;
  if (name !== undefined) throw repeatedParameter(name);
  return parameters;
}

export function repeatedParameter(name: string): OAuthError {
  return new OAuthError('invalid_request', `The parameter ${describeName(name)} is given more than once.`);
}

/** A parameter that must be there. Throws invalid_request. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

/** A caller's own text in a description: RFC 6749 lets no quotes, backslashes or non-ASCII characters into it. */
export function describeName(text: string): string {
  return /^[\w.-]{1,64}$/.test(text) ? text : '(unknown)';
}
