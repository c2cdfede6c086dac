import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { plusMs } from '#common/clock.ts';
import type { Signer } from '#common/secrets.ts';
import { spendToken } from '#common/sessions/spent-token.model.ts';

/** Protects forms against cross-site request forgery. */
export type Csrf = {
  /** Returns the token for all forms of a visitor. */
  tokenOf(visitorId: string): string;
  /** Returns a token for one submission, valid for one hour. */
  tokenOnce(visitorId: string, at: Date): string;
  isToken(visitorId: string, token: string): boolean;
  /** Returns true once for each token from `tokenOnce`. */
  spend(visitorId: string, token: string, at: Date): Promise<boolean>;
};

const onceMs = 3_600_000;

/**
 * Creates the CSRF protection. A token is a signature over the ID in the visitor's cookie. The ID changes with each
 * sign-in, so a token does not outlive its session. Only spent one-time tokens are stored.
 */
export function createCsrf(signer: Signer): Csrf {
  const formText = (visitorId: string) => `form:${visitorId}`;
  const onceText = (visitorId: string, nonce: string, expiresMs: string) => `once:${visitorId}:${nonce}:${expiresMs}`;
  const sign = (text: string) => signer.sign(text).toString('base64url');
  const isSigned = (text: string, token: string) => signer.isSigned(text, Buffer.from(token, 'base64url'));

  return {
    tokenOf: (visitorId) => sign(formText(visitorId)),
    tokenOnce(visitorId, at) {
      const nonce = randomBytes(16).toString('base64url');
      const expiresMs = String(plusMs(at, onceMs).getTime());
      return [nonce, expiresMs, sign(onceText(visitorId, nonce, expiresMs))].join('.');
    },
    isToken: (visitorId, token) => isSigned(formText(visitorId), token),
    async spend(visitorId, token, at) {
      const [nonce = '', expiresMs = '', tag = ''] = token.split('.');
      if (!isSigned(onceText(visitorId, nonce, expiresMs), tag) || Number(expiresMs) <= at.getTime()) return false;
      return await spendToken(`${nonce}.${expiresMs}`, new Date(Number(expiresMs)));
    },
  };
}

/**
 * Returns whether a request comes from a page of this host, according to the browser. Our pages send no referrer, so
 * browsers may send `Origin: null`. Sec-Fetch-Site then decides, and without it the CSRF token alone.
 */
export function isOwnOrigin(request: Request, authUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = request.get('origin');
  if (origin === undefined || origin === 'null') return true;
  // The Host header is trustworthy too: another site cannot make a browser change it.
  return origin === new URL(authUrl).origin || URL.parse(origin)?.host === request.get('host');
}
