import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { AppError } from '#common/errors.ts';
import { mountGet } from '../mount-routes.ts';
import { joinStyleSheets } from '../web/design/assets.ts';
import type { Markup } from '../web/design/markup.ts';
import { changelogFeed } from './changelog/changelog-feed.ts';
import { readChangelog } from './changelog/write-changelog.ts';
import { guideList, guidePage, searchPage } from './guide-pages.ts';
import { writeFullText, writeIndex } from './llms-texts.ts';
import { type Guide, type GuideOptions, readErrorPages, readGuides } from './read-guides.ts';
import { findSections } from './search-guides.ts';

const markdownType = 'text/markdown';
const ownStyles = readFileSync(join(import.meta.dirname, 'guides.css'), 'utf8');
const styleSheet = `${joinStyleSheets(['tokens', 'base', 'layout', 'forms'])}\n${ownStyles}`;

/**
 * Creates the router of `/docs/guides`, a search over them, and `/docs/errors`, rendered on the server. Each page has a
 * twin in Markdown, at the same address with `.md` or by `Accept: text/markdown`; `/llms.txt` lists the twins. A search
 * answers programs in JSON. The changelog has a feed.
 */
export function createGuidesRouter(secure: RequestHandler, options: GuideOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let known: Guide[] | undefined;
  /** Reads the guides once, at the first request. */
  const guides = () => {
    known ??= readGuides(options);
    return known;
  };
  let knownErrors: Guide[] | undefined;
  const errors = () => {
    knownErrors ??= readErrorPages(options);
    return knownErrors;
  };
  const send = (response: Parameters<RequestHandler>[1], page: Markup) => response.type('html').send(String(page));

  mountGet(router, '/docs/guides.css', secure, (_request, response) => {
    response.set('Cache-Control', 'public, max-age=3600').type('css').send(styleSheet);
  });
  mountGet(router, '/docs/guides', secure, (request, response) => {
    const query = new URLSearchParams(request.originalUrl.split('?')[1]).get('q')?.trim() ?? '';
    response.vary('Accept');
    if (query !== '' && request.accepts(['html', 'json']) === 'json') {
      response.json({ sections: findSections(guides(), query, options.baseUrl) });
    } else send(response, query === '' ? guideList(guides()) : searchPage(guides(), query));
  });
  const mountPages = (path: string, what: string, pages: () => Guide[]) => {
    mountGet(router, `${path}/:name`, secure, (request, response) => {
      const [, name, isTwin] = /^(.*?)(\.md)?$/.exec(String(request.params.name)) ?? [];
      const page = pages().find((each) => each.name === name);
      if (!page) throw new AppError('NOT_FOUND', { message: `There is no such ${what}.` });
      response.vary('Accept');
      const isMarkdown = isTwin !== undefined || request.accepts(['html', markdownType]) === markdownType;
      if (isMarkdown) response.type(markdownType).send(page.markdown);
      else send(response, guidePage(guides(), page));
    });
  };
  mountPages('/docs/guides', 'guide', guides);
  mountPages('/docs/errors', 'error', errors);
  mountGet(router, '/docs/changelog.atom', secure, (_request, response) => {
    response.type('application/atom+xml').send(String(changelogFeed(readChangelog(), options.baseUrl)));
  });
  mountGet(router, '/llms.txt', secure, (_request, response) => {
    response.type('text').send(writeIndex(options.baseUrl, guides(), errors()));
  });
  mountGet(router, '/llms-full.txt', secure, (_request, response) => {
    response.type('text').send(writeFullText([...guides(), ...errors()]));
  });
  return router;
}
