import type { RequestHandler } from 'express';
import type { KeyAuthenticator } from '../../common/access/authenticate-key.ts';
import { AppError } from '../../common/errors.ts';
import { stateOf } from '../request-state.ts';

/** Finds out who calls, by `Authorization: Bearer` or `X-Api-Key`; throws UNAUTHORIZED for everybody else. */
export function createAuthenticate(authenticateKey: KeyAuthenticator['authenticate']): RequestHandler {
  return async (request, _response, next) => {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    const key = bearer ?? request.get('x-api-key');
    const credential = key === undefined ? null : await authenticateKey(key);
    if (!credential) throw new AppError('UNAUTHORIZED');
    stateOf(request).credential = credential;
    next();
  };
}
