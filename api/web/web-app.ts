import express, { type Express, type RequestHandler } from 'express';
import { createCookies } from '#api/web/visit/cookies.ts';
import { createCsrf } from '#api/web/visit/csrf.ts';
import { beginVisit, type VisitOptions } from '#api/web/visit/visit.ts';
import type { Clock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import type { Log } from '#common/platform/process/log.ts';
import { boundUnreadBody } from '../middleware/bound-unread-body.ts';
import { createRequestContext } from '../middleware/request-context.ts';
import type { ApiServices } from '../route.ts';
import { createBoard } from './admin/bull-board.ts';
import {
  script,
  scriptPath,
  sendFavicon,
  sendScript,
  sendScriptPath,
  styleSheet,
  styleSheetPath,
  wrongSound,
  wrongSoundPath,
} from './design/assets.ts';
import { mountPages } from './framework/mount-pages.ts';
import type { AnyAction, AnyPage, WebServices } from './framework/page.ts';
import { boardSecurityHeaders, securityHeaders } from './framework/security-headers.ts';
import { WebError, webErrorHandler } from './framework/web-error.ts';

/** The services that the web host creates itself. */
type OwnServices = Pick<WebServices, 'baseUrl' | 'authUrl'>;

export type WebAppOptions = Omit<WebServices, keyof ApiServices | keyof OwnServices> & {
  config: Pick<Config, 'http'>;
  pages: readonly (AnyPage | AnyAction)[];
  services: ApiServices;
  clock: Clock;
  log: Log;
};

const boardPath = '/admin/queues';

/** Creates the web host as an Express application that is not listening yet. */
export function createWebApp(options: WebAppOptions): Express {
  const { config, pages, services, clock, log, ...others } = options;
  const { baseUrl, authUrl, trustedProxyHops } = config.http;
  const isHttps = authUrl.startsWith('https:');
  const cookies = createCookies({ isHttps, signer: services.keyRing.signer('known devices') });
  const csrf = createCsrf(services.keyRing.signer('forms'));
  const app = express();
  app.disable('x-powered-by');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustedProxyHops);

  // The histogram of request durations covers only the API.
  app.use(createRequestContext({ log, metrics: { observe() {} } }));
  app.use(boundUnreadBody());
  app.use(securityHeaders({ isHttps }));
  app.get('/favicon.ico', sendFavicon);
  app.get(styleSheetPath, sendImmutable('css', styleSheet));
  app.get(scriptPath, sendImmutable('js', script));
  app.get(sendScriptPath, sendImmutable('js', sendScript));
  app.get(wrongSoundPath, sendImmutable('wav', wrongSound));
  app.use(
    boardPath,
    createRequireAdmin({ cookies, csrf, clock }),
    boardSecurityHeaders({ isHttps }),
    createBoard({ queues: others.boardHints.queues, path: boardPath }),
  );
  const webServices = { ...services, ...others, baseUrl, authUrl };
  app.use(mountPages({ pages, services: webServices, cookies, csrf, clock }));
  app.use(() => {
    throw new WebError('NOT_FOUND');
  });
  app.use(webErrorHandler);

  return app;
}

/** Guards routes that are not pages: admits administrators, redirects visitors to the sign-in, and throws FORBIDDEN. */
function createRequireAdmin({ cookies, csrf, clock }: VisitOptions & { clock: Clock }): RequestHandler {
  return async (request, response, next) => {
    const visit = await beginVisit(request, response, { cookies, csrf, isEnglish: false, now: clock.now() });
    if (!visit.user) return response.redirect(303, visit.href('/sign-in', { next: visit.askedFor }));
    if (!visit.user.isAdmin) throw new WebError('FORBIDDEN');
    next();
  };
}

/** Returns a handler for content whose path contains its hash. */
function sendImmutable(type: 'css' | 'js' | 'wav', content: string | Buffer): RequestHandler {
  return (_request, response) => {
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(content);
  };
}
