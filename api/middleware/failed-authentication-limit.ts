import type { ErrorRequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { AppError, hasCode } from '#common/errors.ts';
import type { GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';

/** Failed authentications per client address: `limit` per minute, at most `burst` at once. */
export const failureLimit = { limit: 600, burst: 300 } as const;

/**
 * Replaces UNAUTHORIZED by RATE_LIMITED for an address that fails too often. Only failures count: valid keys keep
 * working from the same address, and authenticated requests cost nothing. Mounted after the routes, before the error
 * handler.
 */
export function createFailedAuthenticationLimit({ limiter }: { limiter: GcraLimiter }): ErrorRequestHandler {
  return async (error, request, _response, next) => {
    if (!hasCode(error, 'UNAUTHORIZED') || request.ip === undefined) return next(error);
    // IPv6 addresses count by /56, which a provider assigns to one customer.
    const key = `unauthorized:${ipKeyGenerator(request.ip)}`;
    const { isAllowed, retryAfterS } = await limiter.take({ key, ...failureLimit });
    next(isAllowed ? error : new AppError('RATE_LIMITED', { retryAfterS }));
  };
}
