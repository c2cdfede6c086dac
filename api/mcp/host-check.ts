import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { AppError } from '#common/errors.ts';

/**
 * Creates the check of `Host` and `Origin` against DNS rebinding: only the host of BASE_URL, and all names of this
 * machine if it is one of them. Clients outside of browsers send no origin. Throws FORBIDDEN.
 */
export function createHostCheck(baseUrl: string): RequestHandler {
  const { hostname } = new URL(baseUrl);
  const ofThisMachine = localhostAllowedHostnames();
  const allowed = ofThisMachine.includes(hostname) ? ofThisMachine : [hostname];
  return (request, _response, next) => {
    if (!validateHostHeader(request.host, allowed).ok) {
      throw new AppError('FORBIDDEN', { message: 'The Host header must be that of the API.' });
    }
    if (!validateOriginHeader(request.get('origin'), allowed).ok) {
      throw new AppError('FORBIDDEN', { message: 'Web pages of other origins may not use this.' });
    }
    next();
  };
}
