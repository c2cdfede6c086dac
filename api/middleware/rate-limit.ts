import type { Request, RequestHandler } from 'express';
import { type RateLimitInfo, rateLimit } from 'express-rate-limit';
import type { Credential } from '#common/access/credential.ts';
import { AppError } from '#common/errors.ts';
import type { GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { credentialOf } from '../request-state.ts';
import { GcraStore, storeKey } from './gcra-store.ts';

export type RateLimits = {
  readsPerMinute: number;
  writesPerMinute: number;
  /** Maximum number of requests at once, for each class. */
  burst: number;
  /**
   * Quota of an organization and mode, as a multiple of the default quota of a key. Keys whose own limit reaches the
   * organization quota do not count towards it.
   */
  organizationFactor: number;
};

type LimitClass = {
  name: 'read' | 'write';
  /** For credentials without a limit of their own. */
  defaultLimit: number;
  limitOf: (credential: Credential) => number;
};

const windowMs = 60_000;

/**
 * Limits requests per credential and per organization and mode, separately for reads (GET, HEAD) and writes. The
 * headers of every response (IETF RateLimit draft 8) show the credential's quota and the smaller of the two remainders.
 * Throws RATE_LIMITED beyond the quota. Runs after authentication. With `counted`, every request is a read.
 */
export function createRateLimit(
  options: { limiter: GcraLimiter; limits: RateLimits },
  counted?: 'read',
): RequestHandler {
  const { limits } = options;
  const read = limitClass(options, {
    name: 'read',
    defaultLimit: limits.readsPerMinute,
    limitOf: ({ readsPerMinute }) => readsPerMinute ?? limits.readsPerMinute,
  });
  const write = limitClass(options, {
    name: 'write',
    defaultLimit: limits.writesPerMinute,
    limitOf: ({ writesPerMinute }) => writesPerMinute ?? limits.writesPerMinute,
  });

  return (request, response, next) => {
    const isRead = counted === 'read' || request.method === 'GET' || request.method === 'HEAD';
    return (isRead ? read : write)(request, response, next);
  };
}

function limitClass(
  { limiter, limits }: { limiter: GcraLimiter; limits: RateLimits },
  { name, defaultLimit, limitOf }: LimitClass,
): RequestHandler {
  return rateLimit({
    windowMs,
    // The quota per minute, not the burst: this is what the policy header shows.
    limit: (request) => limitOf(credentialOf(request)),
    identifier: name,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    store: new GcraStore(limiter),
    keyGenerator: (request) => {
      const credential = credentialOf(request);
      const limit = limitOf(credential);
      const { burst, organizationFactor } = limits;
      // The limit is part of the key: after a change of the quota, counting starts again.
      const own = { key: `${name}:${credential.id}@${limit}`, limit, burst };
      const shared = organizationFactor * defaultLimit;
      // The operator set this limit for one key. If it counted here, it could exhaust the quota of all other keys.
      if (limit >= shared) return storeKey([own]);
      const owner = `${credential.organizationId}:${credential.mode}`;
      const ofAll = {
        key: `${name}:${owner}@${shared}`,
        limit: shared,
        burst: organizationFactor * burst,
      };
      return storeKey([own, ofAll]);
    },
    retryAfter: retryAfterS,
    handler: (request, _response, next) => next(new AppError('RATE_LIMITED', { retryAfterS: retryAfterS(request) })),
  });
}

/** Rounded up, at least 1 s: a client that waits this long is accepted. */
function retryAfterS(request: Request & { rateLimit?: RateLimitInfo }): number {
  const waitMs = (request.rateLimit?.resetTime?.getTime() ?? 0) - Date.now();
  return Math.max(1, Math.ceil(waitMs / 1000));
}
