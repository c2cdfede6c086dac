import { isDeepStrictEqual } from 'node:util';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { lacksScope } from '#common/access/require-scope.ts';
import type { Clock } from '#common/clock.ts';
import { AppError, type Issue } from '#common/errors.ts';
import { type RequestOutcome, sandboxHeader } from '#common/sandbox/steps/sandbox-outcomes.ts';
import { isStillAuthenticated } from './middleware/authenticate.ts';
import { readBody } from './middleware/read-body.ts';
import { answerOnce } from './requests/answer-once.ts';
import { parseInput } from './requests/parse-input.ts';
import { credentialOf, stateOf } from './requests/request-state.ts';
import type { AnyRoute, ApiServices } from './route.ts';
import { readSandboxOutcome, toSandboxError } from './sandbox-outcome.ts';
import { sendStream } from './send-stream.ts';

export type MountOptions = {
  routes: readonly AnyRoute[];
  services: ApiServices;
  clock: Clock;
  /** Run before each route. */
  authenticate: RequestHandler;
  rateLimit: RequestHandler;
  /** Whether responses are validated against their schemas. Off in production. */
  areAnswersChecked: boolean;
};

/** More than a real client needs. Without a bound, a body of unknown fields would cause a response ten times its size. */
const maxIssues = 1_000;

/**
 * Creates the router of all routes. Every request passes the same checks in the same order: 404 and 405, 401, 429, 403,
 * 415, 413, 400, then the errors of the handler (404, 409, 402, 503).
 */
export function mountRoutes(options: MountOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, sameRoutes] of Map.groupBy(options.routes, ({ path }) => path)) {
    const mounted = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const route of sameRoutes) {
      const { authenticate, rateLimit } = options;
      mounted[route.method](authenticate, rateLimit, authorize(route), readBody, createHandler(route, options));
    }
    mounted.all(refuseMethod(sameRoutes.map(({ method }) => method.toUpperCase())));
  }
  return router;
}

function authorize({ scope, mode }: AnyRoute): RequestHandler {
  return (request, _response, next) => {
    const credential = credentialOf(request);
    if (mode !== undefined && credential.mode !== mode) {
      throw new AppError('FORBIDDEN', { message: `This takes a ${mode} credential; yours is ${credential.mode}.` });
    }
    if (scope !== 'any' && !credential.scopes.includes(scope)) throw lacksScope(scope);
    next();
  };
}

/** Creates the handler that throws METHOD_NOT_ALLOWED and sets `Allow`. HEAD is allowed wherever GET is. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return (_request, response) => {
    response.set('Allow', allowed.join(', '));
    throw new AppError('METHOD_NOT_ALLOWED');
  };
}

/** Mounts a GET route beside the API, and refuses all other methods at its path. */
export function mountGet(router: Router, path: string, ...handlers: RequestHandler[]): void {
  router
    .route(path)
    .get(...handlers)
    .all(refuseMethod(['GET']));
}

function createHandler(
  route: AnyRoute,
  { services, clock, authenticate, areAnswersChecked }: MountOptions,
): RequestHandler {
  return async (request, response) => {
    const issues: Issue[] = [];
    const query = parseInput(route.query, readQuery(request), issues, 'query');
    if (route.query === undefined) issues.push(...refuseQuery(request));
    const headers = parseInput(route.headers, request.headers, issues);
    const body = parseInput(route.body, request.body, issues);
    // Many clients send `{}` with every POST.
    if (route.body === undefined && request.body !== undefined && !isDeepStrictEqual(request.body, {}))
      issues.push({ path: [], message: 'Send no body here, or {}.' });
    const credential = credentialOf(request);
    const outcome = readSandboxOutcome(request, route, credential.mode, issues);
    if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues: issues.slice(0, maxIssues) });
    const params = route.params?.safeParse(request.params);
    if (params?.success === false) throw new AppError('NOT_FOUND');
    if (outcome && !outcome.isCarriedOut) throw chosen(request, outcome);

    const state = stateOf(request);
    const accepted = chooseFormat(request, response, route);
    const input = {
      params: params?.data,
      query,
      headers,
      body,
      accepted,
      credential,
      requestId: state.requestId,
      now: clock.now(),
      isStillAuthenticated: () => isStillAuthenticated(request, response, authenticate),
    };
    const answer = await answerOnce(route, input, services);
    if (outcome) throw chosen(request, outcome);
    // A stream may be too large to validate here. Tests cover its schema.
    if ('chunks' in answer) return await sendStream(request, response, answer);
    const { mailJobId } = answer.body as { mailJobId?: unknown };
    if (typeof mailJobId === 'string') state.mailJobId = mailJobId;
    if (areAnswersChecked) assertDeclared(route, answer);
    sendJson(response, answer);
  };
}

/** Returns the error of a chosen outcome, and marks the request for the log and the metrics. */
function chosen(request: Request, outcome: RequestOutcome): AppError {
  stateOf(request).sandboxOutcome = request.get(sandboxHeader) ?? '';
  return toSandboxError(outcome);
}

/** Returns the media type that the client prefers. JSON when it accepts none that the route offers. */
function chooseFormat(request: Request, response: Response, { otherFormats }: AnyRoute): string {
  const json = 'application/json';
  if (!otherFormats) return json;
  response.vary('Accept');
  return request.accepts([json, ...Object.keys(otherFormats)]) || json;
}

/** Sends JSON like Express's `json`, without its overhead. */
function sendJson(response: Response, { status, body }: { status: number; body: unknown }): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  // Node sends a string together with the headers in one write.
  response.end(text);
}

/** Returns the query parameters. A repeated parameter becomes an array, which every schema refuses. */
function readQuery(request: Request): Record<string, string | string[]> {
  const start = request.originalUrl.indexOf('?');
  const query: Record<string, string | string[]> = Object.create(null);
  if (start < 0) return query;
  const pairs = new URLSearchParams(request.originalUrl.slice(start));
  for (const name of new Set(pairs.keys())) {
    const values = pairs.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return query;
}

/** Returns an issue for each query parameter of a route that has none. */
export function refuseQuery(request: Request): Issue[] {
  return Object.keys(readQuery(request)).map((name) => ({ path: [name], message: 'This takes no query parameters.' }));
}

/** Throws if a response does not match the route's declaration, and thus the documentation. */
function assertDeclared({ method, path, responses }: AnyRoute, answer: { status: number; body: unknown }): void {
  const schema = responses[answer.status];
  const parsed = schema?.safeParse(answer.body);
  if (parsed?.success && isDeepStrictEqual(parsed.data, answer.body)) return;
  const reason = parsed?.error?.message ?? 'it has an undeclared status or undeclared fields';
  throw new Error(`The response of ${method} ${path} does not match its declaration: ${reason}`);
}
