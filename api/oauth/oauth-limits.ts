import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '../../common/errors.ts';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';

export type OAuthRateLimits = {
  /** Requests of one application, in any minute or at one instant. */
  oauthPerClient: number;
  /** Requests from one address, before anybody knows whose they are. */
  oauthPerAddress: number;
};

/** Counts the requests of the OAuth routes. Both throw RATE_LIMITED. */
export function createOAuthLimits(limiter: GcraLimiter, { oauthPerClient, oauthPerAddress }: OAuthRateLimits) {
  async function take(key: string, limit: number): Promise<void> {
    const { isAllowed, retryAfterS } = await limiter.take({ key, limit, burst: limit });
    if (!isAllowed) throw new AppError('RATE_LIMITED', { retryAfterS });
  }

  return {
    takeAddress: (ip: string | undefined) => take(`oauth-address:${ipKeyGenerator(ip ?? '')}`, oauthPerAddress),
    /** Only once its secret was right: client ids are public, and nobody is to use up another's quota. */
    takeClient: (clientId: string) => take(`oauth-client:${clientId}`, oauthPerClient),
  };
}
