import type { Request, RequestHandler, Response } from 'express';
import { isKeyActive, type KeyAuthenticator } from '#common/access/authenticate-key.ts';
import { AppError, hasCode } from '#common/errors.ts';
import type { TokenAuthenticator } from '#common/oauth/tokens/authenticate-token.ts';
import type { createQuotaReader } from '#common/organizations/quota-reader.ts';
import { credentialOf, stateOf } from '../requests/request-state.ts';
import { readCredentials } from './bearer-challenge.ts';

type QuotaReader = ReturnType<typeof createQuotaReader>;

/**
 * Creates the middleware that authenticates a request: an API key in `Authorization: Bearer` or `X-Api-Key`, or an
 * OAuth access token in `Authorization: Bearer` (RFC 6750, 2.1). `isFor` tells whether a token for one resource alone may
 * be used for a request. Throws UNAUTHORIZED without a valid credential, and for two different ones.
 */
export function createAuthenticate(
  authenticateKey: KeyAuthenticator['authenticate'],
  authenticateToken: TokenAuthenticator,
  isFor: (resource: string, request: Request) => boolean,
  readQuota: QuotaReader,
): RequestHandler {
  return async (request, _response, next) => {
    const { bearer, key = bearer } = readCredentials(request);
    if (bearer !== undefined && bearer !== key) {
      throw new AppError('UNAUTHORIZED', { message: 'Authorization and X-Api-Key differ. Send one credential.' });
    }
    const isToken = bearer?.startsWith('bja_');
    const credential = key === undefined ? null : await (isToken ? authenticateToken : authenticateKey)(key);
    if (!credential) throw new AppError('UNAUTHORIZED');
    if (credential.resource && !isFor(credential.resource, request)) {
      throw new AppError('UNAUTHORIZED', { message: `The access token is for ${credential.resource} only.` });
    }
    const organizationQuota = await readQuota(credential.organizationId);
    stateOf(request).credential = { ...credential, organizationQuota };
    next();
  };
}

/**
 * Returns whether the credential of a request is still valid. For streams that outlive the check at their start.
 * API keys are read from the database, because authentication caches them for 30 s. Tokens are never cached.
 */
export async function isStillAuthenticated(
  request: Request,
  response: Response,
  authenticate: RequestHandler,
): Promise<boolean> {
  const { kind, id } = credentialOf(request);
  if (kind === 'api-key') return await isKeyActive(id);
  try {
    await authenticate(request, response, () => undefined);
    return true;
  } catch (error) {
    if (hasCode(error, 'UNAUTHORIZED')) return false;
    throw error;
  }
}
