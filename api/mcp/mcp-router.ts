import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { scopes } from '#common/access/scopes.ts';
import type { Clock } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { createToolServer } from '#common/mcp/create-tool-server.ts';
import { createQuoteTokens } from '#common/mcp/quote-tokens.ts';
import type { OverlayToLoad } from '#common/mcp/tool.ts';
import { toolsPath } from '#common/oauth/resources.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { KeyRing } from '#common/secrets.ts';
import { bearerChallenge } from '../middleware/bearer-challenge.ts';
import { readBody } from '../middleware/read-body.ts';
import { mountGet, refuseMethod } from '../mount-routes.ts';
import { credentialOf, stateOf } from '../requests/request-state.ts';
import { answerMessage } from './answer-message.ts';
import { callerOf } from './caller-of.ts';
import { createHostCheck } from './host-check.ts';
import type { InnerCalls } from './inner-calls.ts';
import { loadOverlay } from './load-overlay.ts';

const path = toolsPath;
/** No tool reads or changes webhooks. */
const toolScopes = scopes.filter((scope) => scope !== 'webhooks');
const metadataPath = `/.well-known/oauth-protected-resource${path}`;

export type McpRouterOptions = {
  baseUrl: string;
  keyRing: KeyRing;
  store: ObjectStore;
  clock: Clock;
  innerCalls: InnerCalls;
  /** Run before each message. */
  authenticate: RequestHandler;
  rateLimit: RequestHandler;
};

/**
 * Creates the router of `/mcp`, the tools for agents by the Model Context Protocol over streamable HTTP. It keeps no
 * sessions: each message gets a server of its own, and the answer is JSON. The tools call the REST API of this process
 * with the credential of the message. Also serves the metadata of the protected resource (RFC 9728).
 */
export function createMcpRouter(options: McpRouterOptions): Router {
  const { baseUrl, keyRing, store, clock, innerCalls, authenticate, rateLimit } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const signer = keyRing.signer('mcp-quotes');
  const answer: RequestHandler = async (request, response) => {
    // A batch could ask for the list of tools thousands of times. The protocol has had no batches since 2025-06-18.
    if (Array.isArray(request.body)) {
      throw new AppError('VALIDATION_ERROR', { issues: [{ path: [], message: 'Send one message per request.' }] });
    }
    const { organizationId, mode } = credentialOf(request);
    const quotes = createQuoteTokens({ signer, clock, account: `${organizationId}:${mode}` });
    const caller = callerOf(request, innerCalls);
    const { log } = stateOf(request);
    const loadPicture = async ({ preflightId }: OverlayToLoad) =>
      await loadOverlay({ owner: { organizationId, mode }, preflightId, at: clock.now() }, { store, log });
    const reportBug = (error: unknown) => log.error({ err: error }, 'tool failed');
    await answerMessage(request, response, () => createToolServer({ caller, mode, quotes, loadPicture, reportBug }));
  };

  router
    .route(path)
    .all(createHostCheck(baseUrl))
    .post(authenticate, rateLimit, readBody, answer)
    .all(refuseMethod(['POST']));
  const metadata = {
    resource: `${baseUrl}${path}`,
    resource_name: 'Bluejay letters',
    authorization_servers: [baseUrl],
    scopes_supported: toolScopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs/guides/conventions#agents`,
  };
  mountGet(router, metadataPath, (_request, response) => void response.json(metadata));
  router.use(path, createChallenge(`${baseUrl}${metadataPath}`));
  return router;
}

/**
 * Names the metadata in the answer to an unauthenticated message, from which a client finds the token endpoint, and the
 * scopes that the tools use.
 */
function createChallenge(metadataUrl: string): ErrorRequestHandler {
  const parameters = [`resource_metadata="${metadataUrl}"`, `scope="${toolScopes.join(' ')}"`];
  return (error, request, response, next) => {
    const challenge = error instanceof AppError ? bearerChallenge(error, request, parameters) : null;
    if (challenge !== null) response.set('WWW-Authenticate', challenge);
    next(error);
  };
}
