import type { RequestHandler } from 'express';
import helmet from 'helmet';

const nothing = ["'none'"];
const ourselves = ["'self'"];

type PolicyOptions = {
  /** Origins beside our own to which a form may lead: browsers look at the redirects that follow it, too. */
  formActionOrigins?: readonly string[];
};

function pageDirectives({ formActionOrigins = [] }: PolicyOptions = {}): Record<string, string[]> {
  return {
    'default-src': nothing,
    'script-src': ourselves,
    'style-src': ourselves,
    'img-src': ourselves,
    'form-action': [...ourselves, ...formActionOrigins],
    'base-uri': nothing,
    'object-src': nothing,
    'frame-ancestors': nothing,
  };
}

/** What a page may load, its style sheet, script and images from here, and where its forms may lead. */
export function pagePolicy(options: PolicyOptions): string {
  return Object.entries(pageDirectives(options))
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join(';');
}

/** The board is a program of its own: its own data, and styles inside its elements. Nothing from elsewhere. */
const boardDirectives = {
  ...pageDirectives(),
  'connect-src': ourselves,
  'font-src': ourselves,
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'base-uri': ourselves,
};

/** The security headers of the web host; `isHttps` when people reach it by TLS, so that browsers may insist on it. */
export function securityHeaders({ isHttps }: { isHttps: boolean }): RequestHandler {
  return headersWith(pageDirectives(), isHttps);
}

/** The same for the board, in place of those that were set before. */
export function boardSecurityHeaders({ isHttps }: { isHttps: boolean }): RequestHandler {
  return headersWith(boardDirectives, isHttps);
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
