import type { ErrorRequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { AppError, hasCode } from '#common/errors.ts';
import type { GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';

/** `perMinute`: failed authentications of an address, half of them at once. */
type FailureLimitOptions = { limiter: GcraLimiter; perMinute: number };

/**
 * Replaces UNAUTHORIZED by RATE_LIMITED for an address that fails too often. Only failures count: valid keys keep
 * working from the same address, and authenticated requests cost nothing. Mounted after the routes, before the error
 * handler.
 */
export function createFailedAuthenticationLimit({ limiter, perMinute }: FailureLimitOptions): ErrorRequestHandler {
  const quota = { limit: perMinute, burst: Math.ceil(perMinute / 2) };
  return async (error, request, _response, next) => {
    if (!hasCode(error, 'UNAUTHORIZED') || request.ip === undefined) return next(error);
    // IPv6 addresses count by /56, which a provider assigns to one customer.
    const key = `unauthorized:${ipKeyGenerator(request.ip)}`;
    const { isAllowed, retryAfterS } = await limiter.take({ key, ...quota });
    next(isAllowed ? error : new AppError('RATE_LIMITED', { retryAfterS }));
  };
}
