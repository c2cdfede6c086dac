import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { AppError } from '#common/errors.ts';
import { mountGet } from '../mount-routes.ts';
import { joinStyleSheets } from '../web/design/assets.ts';
import type { Markup } from '../web/design/markup.ts';
import { guideList, guidePage, searchPage } from './guide-pages.ts';
import { type Guide, type GuideOptions, readGuides } from './read-guides.ts';

const ownStyles = readFileSync(join(import.meta.dirname, 'guides.css'), 'utf8');
const styleSheet = `${joinStyleSheets(['tokens', 'base', 'layout', 'forms'])}\n${ownStyles}`;

/** Creates the router of `/docs/guides`: the guides and a search over them, rendered on the server. */
export function createGuidesRouter(secure: RequestHandler, options: GuideOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let known: Guide[] | undefined;
  /** Reads the guides once, at the first request. */
  const guides = () => {
    known ??= readGuides(options);
    return known;
  };
  const send = (response: Parameters<RequestHandler>[1], page: Markup) => response.type('html').send(String(page));

  mountGet(router, '/docs/guides.css', secure, (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').type('css').send(styleSheet);
  });
  mountGet(router, '/docs/guides', secure, (request, response) => {
    const query = new URLSearchParams(request.originalUrl.split('?')[1]).get('q')?.trim() ?? '';
    send(response, query === '' ? guideList(guides()) : searchPage(guides(), query));
  });
  mountGet(router, '/docs/guides/:name', secure, (request, response) => {
    const guide = guides().find(({ name }) => name === request.params.name);
    if (!guide) throw new AppError('NOT_FOUND', { message: 'There is no such guide.' });
    send(response, guidePage(guides(), guide));
  });
  return router;
}
