import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import { type Clock, plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { mountGet } from '../mount-routes.ts';
import { createOpenApiDocument } from '../openapi/openapi-document.ts';
import { etagOf } from '../openapi/openapi-router.ts';
import { sendFile } from '../web/design/assets.ts';
import { headersWith } from '../web/framework/security-headers.ts';
import { createClientsRouter } from './client-packages.ts';
import { createBrunoCollection } from './collections/bruno-collection.ts';
import { createPostmanCollection } from './collections/postman-collection.ts';
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

/** The requests of the API for the programs that people try them with, by file name. */
const collections = new Map([
  ['bluejay.postman.json', createPostmanCollection],
  ['bluejay.bruno.json', createBrunoCollection],
]);

/**
 * Creates the router of `/docs`: the API reference, rendered in the browser from `/v1/openapi.json`, the guides,
 * collections of requests, the packages of the clients, and the JSON Schemas of print files. Works offline. Also serves
 * security.txt, and leads from `/` to the reference.
 */
export function createDocsRouter(options: GuideOptions & { clock: Clock }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const isHttps = options.baseUrl.startsWith('https:');
  const secure = headersWith(policy, isHttps);
  mountGet(router, '/docs', secure, (_request, response) => void response.type('html').send(String(docsPage)));
  mountGet(router, '/docs/start.js', secure, sendFile('start-docs.js', import.meta.dirname));
  let scalar: { text: Buffer; etag: string } | undefined;
  mountGet(router, '/docs/scalar.js', secure, (_request, response) => {
    scalar ??= readConstant(join(scalarFolder, 'standalone.js'));
    response.set({ 'Cache-Control': 'public, max-age=3600', ETag: scalar.etag }).type('js').send(scalar.text);
  });
  mountGet(router, '/docs/collections/:name', secure, (request, response) => {
    const write = collections.get(String(request.params.name));
    if (!write) throw new AppError('NOT_FOUND', { message: 'There is no such collection.' });
    response.json(write(createOpenApiDocument(options), options.baseUrl));
  });
  mountGet(router, '/', (_request, response) => response.redirect(`${options.baseUrl}/docs`));
  mountGet(router, '/.well-known/security.txt', (_request, response) => {
    response.type('text').send(securityText(options, options.clock.now()));
  });
  for (const name of schemaNames) mountGet(router, `/docs/schemas/${name}`, secure, sendFile(name, schemaFolder));
  router.use(createClientsRouter(secure, options.clientsFolder));
  router.use(createGuidesRouter(headersWith(guidePolicy, isHttps), options));
  return router;
}

function readConstant(path: string): { text: Buffer; etag: string } {
  const text = readFileSync(path);
  return { text, etag: etagOf(text) };
}

const contactValidMs = 180 * 24 * 3_600_000;

/** Returns where to report vulnerabilities (RFC 9116): the mailbox that RFC 2142 names, at the host of the pages. */
function securityText({ baseUrl, authUrl }: GuideOptions, at: Date): string {
  return [
    `Contact: mailto:security@${new URL(authUrl).hostname}`,
    `Expires: ${plusMs(at, contactValidMs).toISOString()}`,
    'Preferred-Languages: en, fr, nl, de',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
