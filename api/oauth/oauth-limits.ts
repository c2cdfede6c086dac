import type { ErrorRequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '#common/errors.ts';
import { isPublicClient, type OAuthClientRecord } from '#common/oauth/client.model.ts';
import { OAuthError } from '#common/oauth/oauth-error.ts';
import { type GcraLimiter, type LimitCheck, takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';

export type OAuthRateLimits = {
  /** Successful requests per minute, and at once, of an application without a limit of its own. */
  oauthPerClient: number;
  /** Failed requests per minute, and at once, from one address. */
  oauthPerAddress: number;
};

type CountedRequest = {
  /** Token requests and revocations have separate quotas, so neither blocks the other. */
  purpose: 'token' | 'revoke';
  client: OAuthClientRecord;
  ip: string | undefined;
};

/**
 * Creates the limits of the OAuth routes: successes per application, failures per address. Applications that share an
 * address do not block each other: an authenticated application is limited by its own failures from that address. A
 * public client is the same for all of its users, so its successes count by address too.
 */
export function createOAuthLimits(limiter: GcraLimiter, { oauthPerClient, oauthPerAddress }: OAuthRateLimits) {
  const failuresFrom = (ip: string | undefined, clientId = ''): LimitCheck => {
    return { key: `oauth-failures:${ipKeyGenerator(ip ?? '::')}:${clientId}`, ...perMinute(oauthPerAddress) };
  };

  return {
    /**
     * Runs `work` for an authenticated application and counts it if it succeeds. Throws RATE_LIMITED before running it
     * if the application has used up its quota, or has failed too often from this address.
     */
    async countSuccess<T>({ purpose, client, ip }: CountedRequest, work: () => Promise<T>): Promise<T> {
      const who = isPublicClient(client) ? `${client._id}:${ipKeyGenerator(ip ?? '::')}` : client._id;
      const quota = { key: `oauth-${purpose}:${who}`, ...perMinute(client.tokensPerMinute ?? oauthPerClient) };
      const failures = failuresFrom(ip, client._id);
      await takeOrRefuse(limiter, [{ ...failures, cost: 0 }, quota]);
      try {
        return await work();
      } catch (error) {
        await Promise.all([limiter.refund(quota), isFailure(error) ? limiter.take(failures) : undefined]);
        throw error;
      }
    },

    /** Counts a failed request by its address. Replaces the error by RATE_LIMITED when there were too many. */
    countFailure: (async (error, request, _response, next) => {
      if (!isFailure(error)) return next(error);
      const { isAllowed, retryAfterS } = await limiter.take(failuresFrom(request.ip));
      next(isAllowed ? error : new AppError('RATE_LIMITED', { retryAfterS }));
    }) satisfies ErrorRequestHandler,
  };
}

const perMinute = (limit: number) => ({ limit, burst: limit });

/** Returns whether the client caused the error. Errors of the service do not count. */
function isFailure(error: unknown): boolean {
  return error instanceof OAuthError && error.status < 500;
}
