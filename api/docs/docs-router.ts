import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { refuseMethod } from '../mount.ts';
import { docsPage } from './docs-page.ts';

const require = createRequire(import.meta.url);
/** The program that draws the page comes whole in one file, which loads nothing more. */
const scalarFolder = join(dirname(require.resolve('@scalar/fastify-api-reference')), 'js');
const nothing = ["'none'"];
const ourselves = ["'self'"];

/** Nothing from, and nothing to, other hosts, whatever the program tries. It writes its styles into the page itself. */
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

/** The documentation for people at `/docs`, drawn in the browser from `/v1/openapi.json`; works without the internet. */
export function createDocsRouter({ isHttps }: { isHttps: boolean }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    // The operator's other hosts under the same name are not ours to judge.
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  });
  const serve = (path: string, ...handlers: RequestHandler[]): void => {
    router
      .route(path)
      .get(secure, ...handlers)
      .all(refuseMethod(['GET']));
  };
  serve('/docs', (_request, response) => void response.type('html').send(String(docsPage)));
  serve('/docs/start.js', sendFile('start-docs.js', import.meta.dirname));
  serve('/docs/scalar.js', sendFile('standalone.js', scalarFolder));
  return router;
}

/** A file that changes only with the version of the service. */
function sendFile(name: string, root: string): RequestHandler {
  return (_request, response, next) => {
    response.set('Cache-Control', 'public, max-age=3600');
    response.sendFile(name, { root, cacheControl: false }, (error) => error && next(error));
  };
}
