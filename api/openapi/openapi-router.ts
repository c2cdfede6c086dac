import { createHash } from 'node:crypto';
import { Router } from 'express';
import { AppError } from '#common/errors.ts';
import { mountGet, refuseQuery } from '../mount-routes.ts';
import { createOpenApiDocument, type OpenApiOptions } from './openapi-document.ts';

/**
 * Creates the public route of the OpenAPI document. Clients may cache it and revalidate: its ETag changes only with the
 * version of the service and its URLs.
 */
export function createOpenApiRouter(options: OpenApiOptions): Router {
  let written: { text: Buffer; etag: string } | undefined;
  const router = Router({ caseSensitive: true, strict: true });
  mountGet(router, '/v1/openapi.json', (request, response) => {
    const issues = refuseQuery(request);
    if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });
    written ??= write(options);
    response.set({ ETag: written.etag, 'Cache-Control': 'no-cache' });
    if (isKnown(request.get('if-none-match'), written.etag)) response.status(304).end();
    else response.type('json').send(written.text);
  });
  return router;
}

function write(options: OpenApiOptions): { text: Buffer; etag: string } {
  // A buffer, which is compressed once.
  const text = Buffer.from(JSON.stringify(createOpenApiDocument(options)));
  return { text, etag: etagOf(text) };
}

export function etagOf(text: Buffer): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/**
 * Returns whether the client has this version. Express ignores If-None-Match on requests with `Cache-Control: no-cache`,
 * which fetch() adds when a script sets If-None-Match.
 */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
