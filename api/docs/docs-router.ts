import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { refuseMethod } from '../mount-routes.ts';
import { docsPage } from './docs-page.ts';
import { createGuidesRouter } from './guides-router.ts';
import type { GuideOptions } from './read-guides.ts';

const require = createRequire(import.meta.url);
/** Scalar renders the page. Its bundle is a single file that loads nothing else. */
const scalarFolder = join(dirname(require.resolve('@scalar/fastify-api-reference')), 'js');
const nothing = ["'none'"];
const ourselves = ["'self'"];

/** Blocks all requests to other hosts. Inline styles are allowed because Scalar writes its styles into the page. */
const policy = {
  'default-src': nothing,
  'script-src': ourselves,
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ourselves,
  'connect-src': ourselves,
  'form-action': nothing,
  'base-uri': nothing,
  'object-src': nothing,
  'frame-ancestors': nothing,
};

/** Guides have no scripts. Their only form is the search. */
const guidePolicy = {
  'default-src': nothing,
  'style-src': ourselves,
  'img-src': ['data:'],
  'form-action': ourselves,
  'base-uri': nothing,
  'object-src': nothing,
  'frame-ancestors': nothing,
};

/**
 * Creates the router of `/docs`: the API reference, rendered in the browser from `/v1/openapi.json`, and the guides.
 * Works offline.
 */
export function createDocsRouter(options: GuideOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const isHttps = options.baseUrl.startsWith('https:');
  const secure = securityHeaders(policy, isHttps);
  const serve = (path: string, ...handlers: RequestHandler[]): void => {
    router
      .route(path)
      .get(secure, ...handlers)
      .all(refuseMethod(['GET']));
  };
  serve('/docs', (_request, response) => void response.type('html').send(String(docsPage)));
  serve('/docs/start.js', sendFile('start-docs.js', import.meta.dirname));
  serve('/docs/scalar.js', sendFile('standalone.js', scalarFolder));
  router.use(createGuidesRouter(securityHeaders(guidePolicy, isHttps), options));
  return router;
}

function securityHeaders(directives: Record<string, string[]>, isHttps: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // Other hosts of the operator's domain may not support HTTPS.
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  });
}

/** Returns a handler that sends a file. Files change only with a new version of the service. */
function sendFile(name: string, root: string): RequestHandler {
  return (_request, response, next) => {
    response.set('Cache-Control', 'public, max-age=3600');
    response.sendFile(name, { root, cacheControl: false }, (error) => error && next(error));
  };
}
