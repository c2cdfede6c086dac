import { join } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import type { Clock } from '../../common/clock.ts';
import type { Config } from '../../common/config.ts';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';
import type { Log } from '../../common/platform/log.ts';
import type { Hints } from '../../common/platform/queues.ts';
import { createBoard } from '../bull-board.ts';
import { createRequestContext } from '../middleware/request-context.ts';
import { createRequireAdmin } from './require-admin.ts';
import { boardSecurityHeaders, securityHeaders } from './security-headers.ts';
import { sendPage } from './send-page.ts';
import { homePage } from './views/home-page.ts';
import { WebError, webErrorHandler } from './web-error.ts';

export type WebAppOptions = {
  config: Pick<Config, 'http'>;
  hints: Pick<Hints, 'queues'>;
  limiter: GcraLimiter;
  clock: Clock;
  log: Log;
};

const boardPath = '/admin/queues';
const assetsFolder = join(import.meta.dirname, 'assets');

/** The web host, pages for people, as one Express application, not yet listening. */
export function createWebApp({ config, hints, limiter, clock, log }: WebAppOptions): Express {
  const { baseUrl, authUrl, trustedProxyHops } = config.http;
  const isHttps = authUrl.startsWith('https:');
  const app = express();
  app.disable('x-powered-by');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustedProxyHops);

  // The histogram of request times is the API's alone.
  app.use(createRequestContext({ log, metrics: { observe() {} } }));
  app.use(securityHeaders({ isHttps }));
  app.get('/favicon.ico', sendAsset('favicon.ico'));
  app.get('/style.css', sendAsset('style.css'));
  app.get('/', (_request, response) => sendPage(response, 200, homePage({ baseUrl })));
  app.use(
    boardPath,
    createRequireAdmin({ limiter, clock }),
    boardSecurityHeaders({ isHttps }),
    createBoard({ queues: hints.queues, path: boardPath }),
  );
  app.use(() => {
    throw new WebError('NOT_FOUND');
  });
  app.use(webErrorHandler);

  return app;
}

/** A file of ours that changes only with the version of the service. */
function sendAsset(name: string): RequestHandler {
  return (_request, response, next) => {
    response.set('Cache-Control', 'public, max-age=3600');
    // With `root`, so that a dot in the installation's own path is no reason to refuse.
    response.sendFile(name, { root: assetsFolder, cacheControl: false }, (error) => error && next(error));
  };
}
