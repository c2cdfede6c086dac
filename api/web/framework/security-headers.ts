import type { RequestHandler } from 'express';
import helmet from 'helmet';

const nothing = ["'none'"];
const ourselves = ["'self'"];

type PolicyOptions = {
  /** Other origins to which a form may lead. Browsers also check the redirects that follow. */
  formActionOrigins?: readonly string[];
  /** The page plays a sound of this host. */
  hasSound?: boolean;
  /** The script of the page asks this host. */
  hasRequests?: boolean;
};

function pageDirectives({
  formActionOrigins = [],
  hasSound = false,
  hasRequests = false,
}: PolicyOptions = {}): Record<string, string[]> {
  return {
    'default-src': nothing,
    'script-src': ourselves,
    'style-src': ourselves,
    'img-src': ourselves,
    ...(hasRequests && { 'connect-src': ourselves }),
    ...(hasSound && { 'media-src': ourselves }),
    'form-action': [...ourselves, ...formActionOrigins],
    'base-uri': nothing,
    'object-src': nothing,
    'frame-ancestors': nothing,
  };
}

/** Returns the Content-Security-Policy of a page: style sheet, script and images from this host only. */
export function pagePolicy(options: PolicyOptions): string {
  return Object.entries(pageDirectives(options))
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join(';');
}

/** Bull Board also needs its own API, fonts and inline styles, all from this host. */
const boardDirectives = {
  ...pageDirectives(),
  'connect-src': ourselves,
  'font-src': ourselves,
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'base-uri': ourselves,
};

/** Sets the security headers of the web host. `isHttps` adds Strict-Transport-Security. */
export function securityHeaders({ isHttps }: { isHttps: boolean }): RequestHandler {
  return headersWith(pageDirectives(), isHttps);
}

/** Sets the security headers of Bull Board, replacing those of the web host. */
export function boardSecurityHeaders({ isHttps }: { isHttps: boolean }): RequestHandler {
  return headersWith(boardDirectives, isHttps);
}

/** Sets the security headers with this Content-Security-Policy. */
export function headersWith(directives: Record<string, string[]>, isHttps: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // Other hosts of the operator's domain may not support HTTPS.
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}
