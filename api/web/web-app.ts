import express, { type Express, type RequestHandler } from 'express';
import type { Clock } from '../../common/clock.ts';
import type { Config } from '../../common/config.ts';
import { createPrintPreviews } from '../../common/mail-jobs/print-previews.ts';
import { createTokenMint } from '../../common/oauth/token-mint.ts';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';
import type { Log } from '../../common/platform/log.ts';
import type { Mailer } from '../../common/platform/mailer.ts';
import type { Hints } from '../../common/platform/queues.ts';
import type { Revocations } from '../../common/platform/revocations.ts';
import { createBoard } from '../bull-board.ts';
import { createRequestContext } from '../middleware/request-context.ts';
import type { ApiServices } from '../route.ts';
import { createCookies } from './cookies.ts';
import { createCsrf } from './csrf.ts';
import { mountPages } from './mount-pages.ts';
import type { AnyAction, AnyPage } from './page.ts';
import { createRequireAdmin } from './require-admin.ts';
import { boardSecurityHeaders, securityHeaders } from './security-headers.ts';
import { faviconFile, script, scriptPath, styleSheet, styleSheetPath } from './style-sheet.ts';
import { WebError, webErrorHandler } from './web-error.ts';

export type WebAppOptions = {
  config: Pick<Config, 'http'>;
  pages: readonly (AnyPage | AnyAction)[];
  services: ApiServices;
  /** The board's own, which asks for whole pages of messages. */
  boardHints: Pick<Hints, 'queues'>;
  limiter: GcraLimiter;
  mailer: Mailer;
  revocations: Revocations;
  clock: Clock;
  log: Log;
};

const boardPath = '/admin/queues';

/** The web host, pages for people, as one Express application, not yet listening. */
export function createWebApp(options: WebAppOptions): Express {
  const { config, pages, services, boardHints, limiter, mailer, revocations, clock, log } = options;
  const { baseUrl, authUrl, trustedProxyHops } = config.http;
  const isHttps = authUrl.startsWith('https:');
  const cookies = createCookies({ isHttps, key: services.keyRing.derive('known devices') });
  const csrf = createCsrf(services.keyRing.derive('forms'));
  const app = express();
  app.disable('x-powered-by');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustedProxyHops);

  // The histogram of request times is the API's alone.
  app.use(createRequestContext({ log, metrics: { observe() {} } }));
  app.use(securityHeaders({ isHttps }));
  app.get('/favicon.ico', (_request, response, next) => {
    response.set('Cache-Control', 'public, max-age=3600');
    response.sendFile(
      faviconFile.name,
      { root: faviconFile.folder, cacheControl: false },
      (error) => error && next(error),
    );
  });
  app.get(styleSheetPath, sendForEver('css', styleSheet));
  app.get(scriptPath, sendForEver('js', script));
  app.use(
    boardPath,
    createRequireAdmin({ cookies, csrf, clock }),
    boardSecurityHeaders({ isHttps }),
    createBoard({ queues: boardHints.queues, path: boardPath }),
  );
  const tokenMint = createTokenMint(services.keyRing);
  const printPreviews = createPrintPreviews({ store: services.store, log });
  const webServices = { ...services, limiter, mailer, tokenMint, revocations, printPreviews, baseUrl, authUrl };
  app.use(mountPages({ pages, services: webServices, cookies, csrf, clock }));
  app.use(() => {
    throw new WebError('NOT_FOUND');
  });
  app.use(webErrorHandler);

  return app;
}

/** Content whose address changes with it. */
function sendForEver(type: 'css' | 'js', content: string): RequestHandler {
  return (_request, response) => {
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(content);
  };
}
