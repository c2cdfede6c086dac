import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import { mountGet } from '../mount-routes.ts';
import { sendFile } from '../web/design/assets.ts';
import { headersWith } from '../web/framework/security-headers.ts';
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

/** JSON Schemas of the files that a print system reads and writes. */
const schemaNames = ['batch-manifest.schema.json', 'print-results.schema.json'];
const schemaFolder = join(import.meta.dirname, 'schemas');

/**
 * Creates the router of `/docs`: the API reference, rendered in the browser from `/v1/openapi.json`, the guides, and
 * the JSON Schemas of print files. Works offline.
 */
export function createDocsRouter(options: GuideOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const isHttps = options.baseUrl.startsWith('https:');
  const secure = headersWith(policy, isHttps);
  mountGet(router, '/docs', secure, (_request, response) => void response.type('html').send(String(docsPage)));
  mountGet(router, '/docs/start.js', secure, sendFile('start-docs.js', import.meta.dirname));
  mountGet(router, '/docs/scalar.js', secure, sendFile('standalone.js', scalarFolder));
  for (const name of schemaNames) mountGet(router, `/docs/schemas/${name}`, secure, sendFile(name, schemaFolder));
  router.use(createGuidesRouter(headersWith(guidePolicy, isHttps), options));
  return router;
}
