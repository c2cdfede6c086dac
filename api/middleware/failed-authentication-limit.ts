import type { ErrorRequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '../../common/errors.ts';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';

/** Failed authentications of one address: so many a minute, and so many at once. */
const failureLimit = { limit: 600, burst: 300 } as const;

/**
 * Turns an UNAUTHORIZED into RATE_LIMITED for an address that fails too often. Nothing but failures is counted, so a
 * valid key works from the same address, and a request that is let in pays nothing. Mounted after the routes, before
 * the handler that answers errors.
 */
export function createFailedAuthenticationLimit({ limiter }: { limiter: GcraLimiter }): ErrorRequestHandler {
  return async (error, request, _response, next) => {
    if (!(error instanceof AppError && error.code === 'UNAUTHORIZED') || request.ip === undefined) return next(error);
    // IPv6 by its /56, which one customer of a provider has to himself.
    const key = `unauthorized:${ipKeyGenerator(request.ip)}`;
    const { isAllowed, retryAfterS } = await limiter.take({ key, ...failureLimit });
    next(isAllowed ? error : new AppError('RATE_LIMITED', { retryAfterS }));
  };
}
