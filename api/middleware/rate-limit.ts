import type { Request, RequestHandler } from 'express';
import { type RateLimitInfo, rateLimit } from 'express-rate-limit';
import type { Credential } from '../../common/access/credential.ts';
import { AppError } from '../../common/errors.ts';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { credentialOf } from '../request-state.ts';
import { GcraStore, storeKey } from './gcra-store.ts';

export type RateLimits = {
  readsPerMinute: number;
  writesPerMinute: number;
  /** Requests at one instant, of either class. */
  burst: number;
};

type LimitClass = { name: 'read' | 'write'; limitOf: (credential: Credential) => number };

const windowMs = 60_000;

/**
 * Counts the requests of each credential, reads (GET, HEAD) and writes apart, and names quota and rest on every answer
 * in the headers of IETF draft 8. One too many is RATE_LIMITED. Runs after authentication.
 */
export function createRateLimit(options: { limiter: GcraLimiter; limits: RateLimits }): RequestHandler {
  const { limits } = options;
  const read = limitClass(options, {
    name: 'read',
    limitOf: ({ readsPerMinute }) => readsPerMinute ?? limits.readsPerMinute,
  });
  const write = limitClass(options, {
    name: 'write',
    limitOf: ({ writesPerMinute }) => writesPerMinute ?? limits.writesPerMinute,
  });

  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return (isRead ? read : write)(request, response, next);
  };
}

function limitClass(
  { limiter, limits }: { limiter: GcraLimiter; limits: RateLimits },
  { name, limitOf }: LimitClass,
): RequestHandler {
  return rateLimit({
    windowMs,
    // The quota, not the burst: the policy header says how many a minute.
    limit: (request) => limitOf(credentialOf(request)),
    identifier: name,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    store: new GcraStore({ limiter, prefix: `${name}:`, burst: limits.burst }),
    keyGenerator: (request) => {
      const credential = credentialOf(request);
      return storeKey(credential.id, limitOf(credential));
    },
    retryAfter: retryAfterS,
    handler: (request, _response, next) => next(new AppError('RATE_LIMITED', { retryAfterS: retryAfterS(request) })),
  });
}

/** At least a second, and rounded up: whoever waits that long is let through. */
function retryAfterS(request: Request & { rateLimit?: RateLimitInfo }): number {
  const waitMs = (request.rateLimit?.resetTime?.getTime() ?? 0) - Date.now();
  return Math.max(1, Math.ceil(waitMs / 1000));
}
