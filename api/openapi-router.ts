import { createHash } from 'node:crypto';
import { Router } from 'express';
import { AppError } from '../common/errors.ts';
import { refuseMethod, refuseQuery } from './mount.ts';
import { createOpenApiDocument, type OpenApiOptions } from './openapi.ts';

/**
 * The documentation for programs, open to everybody. Clients may keep it and ask whether it has changed: only another
 * version of the service, or another address, changes its ETag.
 */
export function createOpenApiRouter(options: OpenApiOptions): Router {
  let written: { text: string; etag: string } | undefined;
  const router = Router({ caseSensitive: true, strict: true });
  const route = router.route('/v1/openapi.json');
  route.get((request, response) => {
    const issues = refuseQuery(request);
    if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });
    written ??= write(options);
    response.set({ ETag: written.etag, 'Cache-Control': 'no-cache' });
    if (isKnown(request.get('if-none-match'), written.etag)) response.status(304).end();
    else response.type('json').send(written.text);
  });
  route.all(refuseMethod(['GET']));
  return router;
}

function write(options: OpenApiOptions): { text: string; etag: string } {
  const text = JSON.stringify(createOpenApiDocument(options));
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

/**
 * Whether a client has this version. Express would not look when the request also says `Cache-Control: no-cache`, as
 * every fetch() does that sets If-None-Match itself.
 */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
