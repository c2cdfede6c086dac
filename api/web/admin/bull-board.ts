import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { AppViewRoute } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import { type RequestHandler, Router } from 'express';
import { html } from 'hono/html';
import { type Hints, type QueueName, queueTable } from '#common/platform/redis/queues.ts';
import { WebError } from '../framework/web-error.ts';

const uiFolder = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

/** Creates a read-only Bull Board for all queues, to be mounted at `path`. */
export function createBoard({ queues, path }: { queues: Hints['queues']; path: string }): RequestHandler {
  const adapter = new BoardAdapter();
  adapter.setBasePath(path);
  createBullBoard({
    queues: queues.map((queue) => {
      const description = queueTable[queue.name as QueueName].subject;
      return new BullMQAdapter(queue, { readOnlyMode: true, description });
    }),
    serverAdapter: adapter,
    options: {
      uiBasePath: uiFolder,
      uiConfig: {
        boardTitle: 'Bluejay queues',
        favIcon: { default: '/favicon.ico', alternative: '/favicon.ico' },
        hideDocsLink: true,
        locale: { lng: 'en' },
      },
    },
  });

  const router = Router();
  // Read-only mode covers the queues. This also covers any route that a later version adds.
  router.use((request, _response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new WebError('METHOD_NOT_ALLOWED', { Allow: 'GET, HEAD' });
    }
    next();
  });
  // File names contain a content hash, so caching is safe.
  router.use('/static', (_request, response, next) => {
    response.set('Cache-Control', 'private, max-age=86400');
    next();
  });
  router.use(adapter.getRouter());

  return router;
}

/** Serves the board's page without anything that it would load from other hosts. */
class BoardAdapter extends ExpressAdapter {
  constructor() {
    super();
    this.app.disable('x-powered-by');
  }

  override setEntryRoute({ route, handler }: AppViewRoute): this {
    const page = readOwnPage();
    this.app.get(route, (_request, response) => {
      const { params } = handler({ basePath: this.basePath, uiConfig: this.uiConfig });
      response.type('html').send(fillIn(page, params));
    });
    return this;
  }
}

/** Returns the installed page without its links to other hosts (a font). Throws if any other reference is left. */
function readOwnPage(): string {
  const page = readFileSync(join(uiFolder, 'dist/index.ejs'), 'utf8');
  const own = page.replaceAll(/\s*<link\b[^>]*\bhref="https?:[^>]*>/g, '');
  if (/\b(?:src|href|content|url)\s*[=(]\s*["']?(?:https?:)?\/\//i.test(own)) {
    throw new Error('The page of this version of Bull Board loads something from another host');
  }
  return own;
}

/** Fills in the template: `<%= name %>` escaped, `<%- name %>` verbatim, for use inside a script element. */
function fillIn(page: string, params: Record<string, string>): string {
  return page.replaceAll(/<%([-=])\s*(\w+)\s*%>/g, (_match, kind: string, name: string) => {
    const value = params[name] ?? '';
    return kind === '-' ? value : String(html`${value}`);
  });
}
