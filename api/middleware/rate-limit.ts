import type { Request, RequestHandler } from 'express';
import { type RateLimitInfo, rateLimit } from 'express-rate-limit';
import type { Credential } from '#common/access/credential.ts';
import { AppError } from '#common/errors.ts';
import type { GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { credentialOf } from '../requests/request-state.ts';
import { GcraStore, storeKey } from './gcra-store.ts';

export type RateLimits = {
  readsPerMinute: number;
  writesPerMinute: number;
  /** Maximum number of requests at once, for each class. */
  burst: number;
  /**
   * Quota of an organization and mode, as a multiple of the default quota of a key. Keys whose own limit reaches the
   * organization quota do not count towards it. An operator may set another quota for one organization: a lower one holds
   * for all its keys together.
   */
  organizationFactor: number;
};

type LimitClass = {
  name: 'read' | 'write';
  /** For credentials without a limit of their own. */
  defaultLimit: number;
  /** The limit that the operator has set for a credential. */
  ownLimit: (credential: Credential) => number | null;
  /** The limit that the operator has set for its organization. */
  organizationLimit: (credential: Credential) => number | null;
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
    ownLimit: ({ readsPerMinute }) => readsPerMinute,
    organizationLimit: ({ organizationQuota }) => organizationQuota?.readsPerMinute ?? null,
  });
  const write = limitClass(options, {
    name: 'write',
    defaultLimit: limits.writesPerMinute,
    ownLimit: ({ writesPerMinute }) => writesPerMinute,
    organizationLimit: ({ organizationQuota }) => organizationQuota?.writesPerMinute ?? null,
  });

  return (request, response, next) => {
    const isRead = counted === 'read' || request.method === 'GET' || request.method === 'HEAD';
    return (isRead ? read : write)(request, response, next);
  };
}

function limitClass(
  { limiter, limits }: { limiter: GcraLimiter; limits: RateLimits },
  { name, defaultLimit, ownLimit, organizationLimit }: LimitClass,
): RequestHandler {
  const usual = limits.organizationFactor * defaultLimit;
  const sharedOf = (credential: Credential) => organizationLimit(credential) ?? usual;
  const limitOf = (credential: Credential) => {
    const own = ownLimit(credential);
    const shared = sharedOf(credential);
    // A quota below the usual one holds for every key.
    return own !== null && shared >= usual ? own : Math.min(own ?? defaultLimit, shared);
  };

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
      const shared = sharedOf(credential);
      // The operator set this limit for one key. If it counted here, it could exhaust the quota of all other keys.
      const isSet = ownLimit(credential) !== null || organizationLimit(credential) === null;
      if (limit >= shared && shared >= usual && isSet) return storeKey([own]);
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
