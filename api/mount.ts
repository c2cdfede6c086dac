import { isDeepStrictEqual } from 'node:util';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import type { Clock } from '../common/clock.ts';
import { AppError, type Issue } from '../common/errors.ts';
import { isStillLetIn } from './is-still-let-in.ts';
import { toIssues } from './issues.ts';
import { readBody } from './middleware/read-body.ts';
import { credentialOf, stateOf } from './request-state.ts';
import type { AnyRoute, ApiServices } from './route.ts';
import { sendStream } from './send-stream.ts';

export type MountOptions = {
  routes: readonly AnyRoute[];
  services: ApiServices;
  clock: Clock;
  /** Runs before each route: who calls, and how often. */
  authenticate: RequestHandler;
  rateLimit: RequestHandler;
  /** Whether answers are held against their own schema: everywhere but in production. */
  areAnswersChecked: boolean;
};

/** More than any honest body can have: a body of unknown fields alone would else be answered by ten times its size. */
const maxIssues = 1_000;

/**
 * A router for all routes. Each request passes the same checks in the same order: 404 and 405, 401, 429, 403, 415, 413,
 * 400, and only then what the handler finds (404, 409, 402, 503).
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
    if (!credential.scopes.includes(scope)) {
      throw new AppError('FORBIDDEN', { message: `The credential lacks the scope ${scope}.` });
    }
    next();
  };
}

/** METHOD_NOT_ALLOWED with the methods that the address takes; HEAD comes with GET. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return (_request, response) => {
    response.set('Allow', allowed.join(', '));
    throw new AppError('METHOD_NOT_ALLOWED');
  };
}

function createHandler(
  route: AnyRoute,
  { services, clock, authenticate, areAnswersChecked }: MountOptions,
): RequestHandler {
  return async (request, response) => {
    const issues: Issue[] = [];
    const query = parse(route.query, readQuery(request), issues);
    if (route.query === undefined) issues.push(...refuseQuery(request));
    const headers = parse(route.headers, request.headers, issues);
    const body = parse(route.body, request.body, issues);
    if (route.body === undefined && request.body !== undefined)
      issues.push({ path: [], message: 'Send no body here.' });
    if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues: issues.slice(0, maxIssues) });
    const params = route.params?.safeParse(request.params);
    if (params?.success === false) throw new AppError('NOT_FOUND');

    const credential = credentialOf(request);
    const state = stateOf(request);
    const accepted = chooseFormat(request, response, route);
    const isStillAllowed = () => isStillLetIn(request, response, authenticate);
    const input = {
      params: params?.data,
      query,
      headers,
      body,
      accepted,
      credential,
      requestId: state.requestId,
      now: clock.now(),
      isStillAllowed,
    };
    const answer = await route.handle(input as never, services);
    // Too long to be held against its schema here: its own test does that.
    if ('chunks' in answer) return await sendStream(request, response, answer);
    const { mailJobId } = answer.body as { mailJobId?: unknown };
    if (typeof mailJobId === 'string') state.mailJobId = mailJobId;
    if (areAnswersChecked) assertDeclared(route, answer);
    sendJson(response, answer);
  };
}

/** JSON, unless the caller likes another format of the route better; who takes none of them gets JSON all the same. */
function chooseFormat(request: Request, response: Response, { otherFormats }: AnyRoute): string {
  const json = 'application/json';
  if (!otherFormats) return json;
  response.vary('Accept');
  return request.accepts([json, ...Object.keys(otherFormats)]) || json;
}

/** What Express's own `json` comes to here, without what it asks and looks up on the way. */
function sendJson(response: Response, { status, body }: { status: number; body: unknown }): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  // As text it goes out with the headers in one piece.
  response.end(text);
}

function parse(schema: z.ZodType | undefined, value: unknown, issues: Issue[]): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  // Not spread into arguments: there may be more of them than the stack holds.
  if (!parsed.success) for (const issue of toIssues(parsed.error)) issues.push(issue);
  return parsed.data;
}

/** The query's parameters; one that comes twice becomes a list, which no schema takes. */
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

/** An issue for each query parameter, where none is taken. */
export function refuseQuery(request: Request): Issue[] {
  return Object.keys(readQuery(request)).map((name) => ({ path: [name], message: 'This takes no query parameters.' }));
}

/** An answer that its own documentation does not describe is a bug; it is found here rather than by an integrator. */
function assertDeclared({ method, path, responses }: AnyRoute, answer: { status: number; body: unknown }): void {
  const schema = responses[answer.status];
  const parsed = schema?.safeParse(answer.body);
  if (parsed?.success && isDeepStrictEqual(parsed.data, answer.body)) return;
  const reason = parsed?.error?.message ?? 'it has fields, or a status, that are not declared';
  throw new Error(`${method} ${path} answers other than it declares: ${reason}`);
}
