import { type Request, type RequestHandler, Router } from 'express';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../../common/clock.ts';
import { answerTokenRequest } from '../../common/oauth/answer-token-request.ts';
import { authenticateClient } from '../../common/oauth/authenticate-client.ts';
import type { OAuthClientRecord } from '../../common/oauth/client.model.ts';
import { oauthMetadata } from '../../common/oauth/metadata.ts';
import { type Parameters, readParameters, required } from '../../common/oauth/parameters.ts';
import { revokeToken } from '../../common/oauth/revoke-token.ts';
import type { TokenReplay } from '../../common/oauth/token-answer.ts';
import type { TokenMint } from '../../common/oauth/token-mint.ts';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { refuseMethod } from '../mount.ts';
import { stateOf } from '../request-state.ts';
import { oauthErrorHandler } from './oauth-error-handler.ts';
import { createOAuthLimits, type OAuthRateLimits } from './oauth-limits.ts';
import { readForm } from './read-form.ts';

export type OAuthRouterOptions = {
  baseUrl: string;
  authUrl: string;
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

/** The OAuth routes of the API host: the token and revocation endpoints, and the document that names them. */
export function createOAuthRouter(options: OAuthRouterOptions): Router {
  const { mint, clock } = options;
  const limits = createOAuthLimits(options.limiter, options.limits);
  const reportReplay = createReplayReport(options.registry);
  const metadata = oauthMetadata(options);
  const router = Router({ caseSensitive: true, strict: true });

  /** The same order for both forms: address counted, form read, client known and counted, and only then the matter. */
  const postForm = (path: string, handle: FormHandler) => {
    const answer: RequestHandler = async (request, response) => {
      response.set('Pragma', 'no-cache');
      const at = clock.now();
      const parameters = readParameters(new URLSearchParams(String(request.body ?? '')));
      const client = await authenticateClient({ authorization: request.get('authorization'), parameters, at });
      await limits.takeClient(client._id);
      const body = await handle({ request, client, parameters, at });
      if (body) response.json(body);
      else response.status(200).end();
    };
    const countAddress: RequestHandler = async (request, _response, next) => {
      await limits.takeAddress(request.ip);
      next();
    };
    router
      .route(path)
      .post(countAddress, readForm, answer)
      .all(refuseMethod(['POST']));
  };

  postForm('/oauth/token', ({ request, ...form }) =>
    answerTokenRequest(form, { mint, reportReplay: (replay) => reportReplay(request, replay) }),
  );
  postForm('/oauth/revoke', async ({ client, parameters, at }) => {
    await revokeToken({ client, token: required(parameters, 'token'), at }, mint);
    return undefined;
  });
  const wellKnown = router.route('/.well-known/oauth-authorization-server');
  wellKnown.get((_request, response) => void response.json(metadata)).all(refuseMethod(['GET']));
  router.use(['/oauth/token', '/oauth/revoke', '/.well-known/oauth-authorization-server'], oauthErrorHandler);

  return router;
}

/** A spent code or token that comes again is theft until the opposite is shown: a line for the audit, and a count. */
function createReplayReport(registry: Registry): (request: Request, replay: TokenReplay) => void {
  const detected = new Counter({
    name: 'oauth_reuse_detected_total',
    help: 'Grants that were ended because a spent code or refresh token came again.',
    registers: [registry],
  });
  return (request, replay) => {
    detected.inc();
    stateOf(request).log.warn({ audit: 'oauth_reuse_detected', ...replay }, 'a spent token came again; grant ended');
  };
}
