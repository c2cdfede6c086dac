import type { Request } from 'express';
import { type AppError, hasCode } from '#common/errors.ts';

/**
 * Returns the credentials of a request: an API key or an access token in `Authorization: Bearer`, and an API key in
 * `X-Api-Key`. Other schemes, such as that of a proxy, are ignored.
 */
export function readCredentials(request: Request): { bearer: string | undefined; key: string | undefined } {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
  return { bearer, key: request.get('x-api-key') || undefined };
}

/**
 * Returns the value of `WWW-Authenticate` for an error (RFC 6750, 3), with these parameters in front, or null when the
 * credential is not its cause. A request without a credential gets no error code.
 */
export function bearerChallenge(error: AppError, request: Request, parameters: readonly string[] = []): string | null {
  const { bearer, key } = readCredentials(request);
  const isGiven = bearer !== undefined || key !== undefined;
  if (hasCode(error, 'UNAUTHORIZED')) return write([...parameters, ...(isGiven ? ['error="invalid_token"'] : [])]);
  if (error.missingScope === undefined) return null;
  return write(['error="insufficient_scope"', `scope="${error.missingScope}"`]);
}

const write = (parameters: readonly string[]) => `Bearer ${parameters.join(', ')}`.trimEnd();
