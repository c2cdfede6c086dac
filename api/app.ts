import express, { type Express } from 'express';
import type { Registry } from 'prom-client';
import type { KeyAuthenticator } from '#common/access/authenticate-key.ts';
import type { Clock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { AppError } from '#common/errors.ts';
import { toolsPath } from '#common/oauth/resources.ts';
import type { TokenAuthenticator } from '#common/oauth/tokens/authenticate-token.ts';
import type { TokenMint } from '#common/oauth/tokens/token-mint.ts';
import { createQuotaReader } from '#common/organizations/quota-reader.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createDocsRouter } from './docs/docs-router.ts';
import { compressTexts, openToAllOrigins } from './docs/public-texts.ts';
import { createInnerCalls } from './mcp/inner-calls.ts';
import { createMcpRouter } from './mcp/mcp-router.ts';
import { createAuthenticate } from './middleware/authenticate.ts';
import { createErrorHandler } from './middleware/error-handler.ts';
import { createFailedAuthenticationLimit } from './middleware/failed-authentication-limit.ts';
import { createRateLimit } from './middleware/rate-limit.ts';
import { createHttpMetrics, createRequestContext } from './middleware/request-context.ts';
import { mountRoutes } from './mount-routes.ts';
import { createOAuthRouter } from './oauth/oauth-router.ts';
import { createOpenApiRouter } from './openapi/openapi-router.ts';
import type { ApiServices } from './route.ts';
import { routes } from './routes/index.ts';

export type AppOptions = {
  config: Pick<Config, 'rateLimits' | 'isProduction' | 'http' | 'oauth'>;
  services: ApiServices;
  authenticateKey: KeyAuthenticator['authenticate'];
  authenticateToken: TokenAuthenticator;
  tokenMint: TokenMint;
  limiter: GcraLimiter;
  registry: Registry;
  clock: Clock;
  log: Log;
};

/** Creates the REST API as an Express application that is not listening yet. */
export function createApp(options: AppOptions): Express {
  const { config, services, authenticateKey, authenticateToken, tokenMint, limiter, registry, clock, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.http.trustedProxyHops);
  app.set('query parser', false);

  app.use(createRequestContext({ log, metrics: createHttpMetrics(registry) }));
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  const { baseUrl, authUrl } = config.http;
  const { keyRing } = services;
  const innerCalls = createInnerCalls(keyRing);
  const toolsUrl = `${baseUrl}${toolsPath}`;
  // A token for the tools alone is valid for them and for what they do.
  const readQuota = createQuotaReader();
  const authenticateFor = (isFor: Parameters<typeof createAuthenticate>[2]) =>
    createAuthenticate(authenticateKey, authenticateToken, isFor, readQuota);
  const authenticate = authenticateFor((_url, request) => innerCalls.isInner(request));
  const authenticateAgent = authenticateFor((url) => url === toolsUrl);
  const limiting = { limiter, limits: config.rateLimits };
  app.use(
    mountRoutes({
      routes,
      services,
      clock,
      authenticate,
      rateLimit: createRateLimit(limiting),
      areAnswersChecked: !config.isProduction,
    }),
  );
  // After the API routes, which are requested far more often. The paths do not overlap.
  app.use(
    createOAuthRouter({
      baseUrl,
      authUrl,
      publicHosts: config.oauth.publicClientHosts,
      limits: config.rateLimits,
      mint: tokenMint,
      limiter,
      registry,
      clock,
    }),
  );
  const rateLimit = createRateLimit(limiting, 'read');
  app.use(
    createMcpRouter({
      baseUrl,
      keyRing,
      store: services.store,
      clock,
      innerCalls,
      authenticate: authenticateAgent,
      rateLimit,
    }),
  );
  app.use(['/v1/openapi.json', '/docs'], openToAllOrigins);
  app.use(['/v1/openapi.json', '/docs', '/llms.txt', '/llms-full.txt'], compressTexts);
  app.use(createOpenApiRouter({ routes, baseUrl, authUrl }));
  const settings = { ...services, rateLimits: config.rateLimits };
  app.use(createDocsRouter({ routes, baseUrl, authUrl, settings, clock }));
  app.use(() => {
    throw new AppError('NOT_FOUND', { message: 'There is nothing at this address.' });
  });
  const { failedAuthenticationsPerMinute: perMinute } = config.rateLimits;
  app.use(createFailedAuthenticationLimit({ limiter, perMinute }));
  app.use(createErrorHandler(baseUrl));

  return app;
}
