import { createHmac, randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import { type Clock, plusMs } from '../../common/clock.ts';
import { verifyUser } from '../../common/organizations/verify-user.ts';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { WebError } from './web-error.ts';

/** Passwords tried from one address: so many a minute, and so many at once. One that fits clears the count. */
const attemptLimit = { limit: 20, burst: 10 } as const;
/** A page loads many things at once, and verifying a password is made to be slow: one check counts for this long. */
const verifiedForMs = 60_000;
const challenge = { 'WWW-Authenticate': 'Basic realm="Bluejay", charset="UTF-8"' };

/**
 * Lets in users who are administrators, by HTTP Basic. Everybody else gets 401, a user who is none 403, and an address
 * that fails too often 429. Someone who stops being an administrator is let in for a minute more.
 */
export function createRequireAdmin({ limiter, clock }: { limiter: GcraLimiter; clock: Clock }): RequestHandler {
  const verifiedUntil = new LRUCache<string, Date>({ max: 100 });
  // Remembered in a form that is worthless outside this process.
  const fingerprintKey = randomBytes(32);
  const fingerprint = (credentials: string) => createHmac('sha256', fingerprintKey).update(credentials).digest('hex');

  return async (request, _response, next) => {
    const credentials = readBasic(request.get('authorization'));
    if (!credentials) throw new WebError('UNAUTHORIZED', challenge);
    const known = fingerprint(`${credentials.email}:${credentials.password}`);
    if ((verifiedUntil.get(known) ?? 0) > clock.now()) return next();

    // Counted before the password is looked at, so that guessing costs this machine little.
    const attempts = `web-sign-in:${ipKeyGenerator(request.ip ?? '::')}`;
    const { isAllowed, retryAfterS } = await limiter.take({ key: attempts, ...attemptLimit });
    if (!isAllowed) throw new WebError('RATE_LIMITED', { 'Retry-After': String(retryAfterS) });
    const user = await verifyUser(credentials.email, credentials.password);
    if (!user) throw new WebError('UNAUTHORIZED', challenge);
    if (!user.isAdmin) throw new WebError('FORBIDDEN');
    await limiter.forget(attempts);
    verifiedUntil.set(known, plusMs(clock.now(), verifiedForMs));
    next();
  };
}

function readBasic(header: string | undefined): { email: string; password: string } | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header ?? '') ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const separator = text.indexOf(':');
  return separator < 0 ? null : { email: text.slice(0, separator), password: text.slice(separator + 1) };
}
