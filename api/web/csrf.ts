import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { plusMs } from '../../common/clock.ts';
import { spendToken } from '../../common/sessions/spent-token.model.ts';

/** Tells forms of ours from those that another site makes a visitor's browser send. */
export type Csrf = {
  /** The token of all forms of one visitor. */
  tokenOf(visitorId: string): string;
  /** A token for one post, good for an hour. */
  tokenOnce(visitorId: string, at: Date): string;
  isToken(visitorId: string, token: string): boolean;
  /** True once for each token of `tokenOnce`. */
  spend(visitorId: string, token: string, at: Date): Promise<boolean>;
};

const onceMs = 3_600_000;

/**
 * Nothing is stored but tokens that are used up: a token is a seal over the id in the visitor's cookie, which changes
 * with each sign-in, so that none outlives the session it was made for.
 */
export function createCsrf(key: Buffer): Csrf {
  const seal = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const tokenOf = (visitorId: string) => seal(`form:${visitorId}`);
  const onceSeal = (visitorId: string, nonce: string, expiresMs: string) =>
    seal(`once:${visitorId}:${nonce}:${expiresMs}`);

  return {
    tokenOf,
    tokenOnce(visitorId, at) {
      const nonce = randomBytes(16).toString('base64url');
      const expiresMs = String(plusMs(at, onceMs).getTime());
      return [nonce, expiresMs, onceSeal(visitorId, nonce, expiresMs)].join('.');
    },
    isToken: (visitorId, token) => areEqual(token, tokenOf(visitorId)),
    async spend(visitorId, token, at) {
      const [nonce = '', expiresMs = '', tag = ''] = token.split('.');
      if (!areEqual(tag, onceSeal(visitorId, nonce, expiresMs)) || Number(expiresMs) <= at.getTime()) return false;
      return await spendToken(`${nonce}.${expiresMs}`, new Date(Number(expiresMs)));
    },
  };
}

/**
 * Whether a post comes from a page of this very host, as far as the browser says. Our pages send no referrer, which
 * makes browsers write `Origin: null`; Sec-Fetch-Site then tells, and without either the token alone decides.
 */
export function isOwnOrigin(request: Request, authUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = request.get('origin');
  if (origin === undefined || origin === 'null') return true;
  // The host that was asked for is as good: a browser cannot be made to lie about it.
  return origin === new URL(authUrl).origin || URL.parse(origin)?.host === request.get('host');
}

function areEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
