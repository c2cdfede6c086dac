import express, { type Request, type RequestHandler, Router } from 'express';
import { Counter, type Registry } from 'prom-client';
import { scopes } from '#common/access/scopes.ts';
import type { Clock } from '#common/clock.ts';
import type { OAuthClientRecord } from '#common/oauth/client.model.ts';
import { authenticateClient } from '#common/oauth/clients/authenticate-client.ts';
import type { PublicHosts } from '#common/oauth/clients/client-metadata.ts';
import { OAuthError } from '#common/oauth/oauth-error.ts';
import { type Parameters, readParameters, required } from '#common/oauth/parameters.ts';
import { toolsPath } from '#common/oauth/resources.ts';
import { grantTypes, handleTokenRequest } from '#common/oauth/tokens/handle-token-request.ts';
import { revokeToken } from '#common/oauth/tokens/revoke-token.ts';
import type { TokenMint } from '#common/oauth/tokens/token-mint.ts';
import type { TokenReplay } from '#common/oauth/tokens/token-response.ts';
import type { GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { mountGet, refuseMethod } from '../mount-routes.ts';
import { stateOf } from '../requests/request-state.ts';
import { requireUtf8Form } from '../requests/require-utf8.ts';
import { oauthErrorHandler } from './oauth-error-handler.ts';
import { createOAuthLimits, type OAuthRateLimits } from './oauth-limits.ts';

const metadataPath = '/.well-known/oauth-authorization-server';

export type OAuthRouterOptions = {
  baseUrl: string;
  authUrl: string;
  publicHosts: PublicHosts;
  limits: OAuthRateLimits;
  mint: TokenMint;
  limiter: GcraLimiter;
  registry: Registry;
  clock: Clock;
};

type FormHandler = (form: {
  request: Request;
  client: OAuthClientRecord;
  parameters: Parameters;
  at: Date;
}) => Promise<object | undefined>;

/** Creates the OAuth routes of the API host: token endpoint, revocation endpoint and metadata document (RFC 8414). */
export function createOAuthRouter(options: OAuthRouterOptions): Router {
  const { mint, clock, publicHosts } = options;
  const limits = createOAuthLimits(options.limiter, options.limits);
  const reportReplay = createReplayReport(options.registry);
  const metadata = oauthMetadata(options);
  const router = Router({ caseSensitive: true, strict: true });

  /** Mounts a form endpoint: reads the form, authenticates the client, applies its limits, then runs `handle`. */
  const postForm = (path: string, purpose: 'token' | 'revoke', handle: FormHandler) => {
    const answer: RequestHandler = async (request, response) => {
      response.set('Pragma', 'no-cache');
      const at = clock.now();
      const parameters = readParameters(new URLSearchParams(String(request.body ?? '')));
      const authorization = request.get('authorization');
      const client = await authenticateClient({ authorization, parameters, at, publicHosts });
      const counted = { purpose, client, ip: request.ip };
      const body = await limits.countSuccess(counted, () => handle({ request, client, parameters, at }));
      if (body) response.json(body);
      else response.status(200).end();
    };
    router
      .route(path)
      .post(readForm, answer)
      .all(refuseMethod(['POST']));
  };

  postForm('/oauth/token', 'token', ({ request, ...form }) =>
    handleTokenRequest(
      { ...form, issuer: options.baseUrl },
      { mint, reportReplay: (replay) => reportReplay(request, replay) },
    ),
  );
  postForm('/oauth/revoke', 'revoke', async ({ client, parameters, at }) => {
    await revokeToken({ client, token: required(parameters, 'token'), at }, mint);
    return undefined;
  });
  mountGet(router, metadataPath, (_request, response) => void response.json(metadata));
  router.use(['/oauth/token', '/oauth/revoke'], limits.countFailure);
  router.use(['/oauth/token', '/oauth/revoke', metadataPath], oauthErrorHandler);

  return router;
}

/** Returns the authorization server metadata (RFC 8414). */
function oauthMetadata({
  baseUrl,
  authUrl,
  publicHosts,
}: Pick<OAuthRouterOptions, 'baseUrl' | 'authUrl' | 'publicHosts'>) {
  const hasPublicClients = publicHosts?.length !== 0;
  // `none` is for public clients, whose id is the URL of their metadata.
  const authMethods = ['client_secret_basic', 'client_secret_post', ...(hasPublicClients ? ['none'] : [])];
  return {
    issuer: baseUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    service_documentation: `${baseUrl}/docs`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    authorization_response_iss_parameter_supported: true,
    ...(hasPublicClients && { client_id_metadata_document_supported: true }),
    protected_resources: [`${baseUrl}${toolsPath}`],
  };
}

const maxFormBytes = 16 * 1024;
const readText = express.text({ limit: maxFormBytes, type: () => true, verify: requireUtf8Form });

/**
 * Reads the body of an OAuth request as text. Throws invalid_request for another content type, for an unreadable body,
 * and for query parameters, because URLs end up in logs.
 */
const readForm: RequestHandler = (request, response, next) => {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.get('content-type') ?? '');
  if (!isForm) {
    return next(new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.'));
  }
  if (request.originalUrl.includes('?')) {
    return next(new OAuthError('invalid_request', 'Send the parameters in the body, not in the address.'));
  }
  readText(request, response, (error?: unknown) => {
    const isUnreadable = error !== undefined;
    next(isUnreadable ? new OAuthError('invalid_request', 'The body cannot be read, or is over 16 KiB.') : undefined);
  });
};

/** Reports the reuse of a spent code or refresh token, which may mean theft, in the audit log and as a metric. */
function createReplayReport(registry: Registry): (request: Request, replay: TokenReplay) => void {
  const detected = new Counter({
    name: 'oauth_reuse_detected_total',
    help: 'Grants revoked because a spent code or refresh token was reused.',
    registers: [registry],
  });
  return (request, replay) => {
    detected.inc();
    stateOf(request).log.warn({ audit: 'oauth_reuse_detected', ...replay }, 'spent token reused, grant revoked');
  };
}
