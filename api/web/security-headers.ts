import type { RequestHandler } from 'express';
import helmet from 'helmet';

const nothing = ["'none'"];
const ourselves = ["'self'"];

/** What a page may load: its style sheet and its icon, from here. */
const pagePolicy = {
  'default-src': nothing,
  'style-src': ourselves,
  'img-src': ourselves,
  'form-action': ourselves,
  'base-uri': nothing,
  'object-src': nothing,
  'frame-ancestors': nothing,
};

/** The board is a program of its own: scripts, its own data, and styles inside its elements. Nothing from elsewhere. */
const boardPolicy = {
  ...pagePolicy,
  'script-src': ourselves,
  'connect-src': ourselves,
  'font-src': ourselves,
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'base-uri': ourselves,
};

/** The security headers of the web host; `isHttps` when people reach it by TLS, so that browsers may insist on it. */
export function securityHeaders({ isHttps }: { isHttps: boolean }): RequestHandler {
  return headersWith(pagePolicy, isHttps);
}

/** The same for the board, in place of those that were set before. */
export function boardSecurityHeaders({ isHttps }: { isHttps: boolean }): RequestHandler {
  return headersWith(boardPolicy, isHttps);
}

function headersWith(directives: Record<string, string[]>, isHttps: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // The operator's other hosts under the same name are not ours to judge.
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}
