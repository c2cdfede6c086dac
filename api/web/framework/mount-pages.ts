import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { textsOf } from '#api/web/texts/texts.ts';
import { isOwnOrigin } from '#api/web/visit/csrf.ts';
import { splitPath } from '#api/web/visit/language.ts';
import {
  issuesToFormErrors,
  noForm,
  type SentForm,
  type SentValues,
  textOf,
  toFormErrors,
} from '#api/web/visit/sent-form.ts';
import { beginVisit, type Visit, type VisitOptions } from '#api/web/visit/visit.ts';
import type { Clock } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { type GcraLimiter, takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';
import { sha256Hex } from '#common/secrets.ts';
import type { Answer } from './answer.ts';
import { noFiles, requireFileForm, type SentFiles, withFileForm } from './forms/file-form.ts';
import { readFormBody, readLongFormBody, sentValues } from './forms/form-body.ts';
import { FormRefusal } from './forms/form-refusal.ts';
import type { AnyAction, AnyPage, WebServices } from './page.ts';
import { sendAnswer } from './send-answer.ts';
import { WebError } from './web-error.ts';

export type MountPagesOptions = VisitOptions & {
  pages: readonly (AnyPage | AnyAction)[];
  services: WebServices;
  clock: Clock;
};

/**
 * Creates the router of all pages, at their paths with and without a language prefix. Every request passes the same
 * checks in the same order: 404 and 405, body of a post (415, 400), origin of a post (403), rate limit of the session
 * (429), access (303 to the sign-in, 403), CSRF token (403), then validation of the form.
 */
export function mountPages(options: MountPagesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(dropLanguage);
  for (const [path, declared] of Map.groupBy(options.pages, (page) => page.path)) {
    const mounted = router.route(path);
    for (const page of declared) {
      if (page.method === 'get') mounted.get(showPage(page, options));
      else
        mounted.post(
          page.files ? requireFileForm : page.isLong ? readLongFormBody : readFormBody,
          runAction(page, options),
        );
    }
    mounted.all(refuseMethod(declared.map(({ method }) => method.toUpperCase())));
  }
  return router;
}

/** Removes the language prefix for routing. `beginVisit` reads it from the original URL. */
const dropLanguage: RequestHandler = (request, _response, next) => {
  const { language, path } = splitPath(request.path);
  if (language !== null) request.url = path + request.url.slice(request.path.length);
  next();
};

function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return () => {
    throw new WebError('METHOD_NOT_ALLOWED', { Allow: allowed.join(', ') });
  };
}

function showPage(page: AnyPage, options: MountPagesOptions): RequestHandler {
  return async (request, response) => {
    const visit = await admit(page, request, response, options);
    if (!visit) return;
    const query = readQuery(page.query, request);
    const answer = await show(page, { visit, request, query, sent: noForm }, options);
    await sendAnswer(answer, { visit, request, response, cookies: options.cookies });
  };
}

function runAction(action: AnyAction, options: MountPagesOptions): RequestHandler {
  return async (request, response) => {
    if (!isOwnOrigin(request, options.services.authUrl)) throw new WebError('CSRF_CHECK_FAILED');
    const visit = await admit(action, request, response, options);
    if (!visit) return;
    const checked = (values: SentValues) => checkToken(action, values, request, options);
    const answer = (form: SentFiles) => answerForm(action, form, { visit, request, response }, options);
    if (action.files) {
      const group = visit.user?.organizationId ?? visit.address;
      return await withFileForm(request, { limits: action.files, group, checkToken: checked }, answer);
    }
    const values = sentValues(request);
    await checked(values);
    await answer({ values, ...noFiles });
  };
}

type Exchange = { visit: Visit; request: Request; response: Response };

/** Runs the action with a form whose token is valid, and sends its answer or the page with the errors. */
async function answerForm(
  action: AnyAction,
  { values, ...files }: SentFiles,
  { visit, request, response }: Exchange,
  options: MountPagesOptions,
): Promise<void> {
  const { services, clock, cookies } = options;
  const runAfterwards = ({ path }: AnyAction, work: (() => Promise<void>) | null) => {
    if (!work) return;
    const begin = () => services.backgroundTasks.run(path, work);
    // If the client has disconnected already, `close` will not be emitted again.
    if (response.closed) begin();
    else response.once('close', begin);
  };
  const form = action.form.safeParse(values);
  const params = readParams(action.params, request);
  try {
    if (!form.success) throw new FormRefusal(toFormErrors(form.error));
    const own = withTexts(visit, action);
    const answer = await action.run(
      { visit: own, params, form: form.data, ...files, now: clock.now() } as never,
      services,
    );
    if (answer.kind === 'view') runAfterwards(action, answer.afterwards);
    return await sendAnswer(answer, { visit, request, response, cookies });
  } catch (error) {
    const { errors, status, headers, afterwards } = toRefusal(error);
    runAfterwards(action, afterwards);
    // With the parameters filled in, to identify the submitted form.
    const sent = { path: fillIn(action.path, request), values, errors };
    const query = readQuery(action.page.query, request);
    const answer = await show(action.page, { visit, request, query, sent }, options);
    await sendAnswer(answer, { visit, request, response, cookies, status, headers });
  }
}

/** Converts an error to a refusal of the form. Throws all errors that need an error page. */
function toRefusal(error: unknown): FormRefusal {
  if (error instanceof FormRefusal) return error;
  if (error instanceof AppError && error.status === 400) return new FormRefusal(issuesToFormErrors(error.issues ?? []));
  if (error instanceof AppError && error.code === 'RATE_LIMITED') {
    const headers = { 'Retry-After': String(error.retryAfterS ?? 1) };
    return new FormRefusal({ '': 'throttled' }, { status: 429, headers });
  }
  // Conflicts with the current state, and insufficient funds.
  if (error instanceof AppError && (error.status === 409 || error.status === 402)) {
    const formError = Object.hasOwn(textsOf('en').form.errors, error.code) ? error.code : error.message;
    return new FormRefusal({ '': formError }, { status: 409 });
  }
  throw error;
}

/** Begins the visit if access is allowed. Otherwise redirects to the sign-in and returns null, or throws. */
async function admit(
  declared: AnyPage | AnyAction,
  request: Request,
  response: Response,
  { cookies, csrf, clock, services }: MountPagesOptions,
): Promise<Visit | null> {
  const { access } = declared;
  const isEnglish = access === 'admin';
  const begun = await beginVisit(request, response, { cookies, csrf, isEnglish, now: clock.now() });
  // An action has no page of its own. The current page is the one with its form.
  const visit = declared.method === 'post' ? { ...begun, path: fillIn(declared.page.path, request) } : begun;
  if (visit.sessionId !== null) await countRequest(visit.sessionId, declared, services.limiter);
  if (access === 'anyone') return visit;
  if (!visit.user) {
    // A submitted form is not replayed after the sign-in.
    const next = declared.method === 'post' ? visit.href(visit.path) : visit.askedFor;
    response.redirect(303, visit.href('/sign-in', { next }));
    return null;
  }
  if (access === 'admin' && !visit.user.isAdmin) throw new WebError('FORBIDDEN');
  return visit;
}

/** Requests of a session per minute, and at once. Previews of letters have an additional, lower limit. */
const sessionLimits = { view: 240, file: 240, post: 60, rapid: 240 } as const;

/** Counts a request of a session. Throws RATE_LIMITED beyond the limit. */
async function countRequest(sessionId: string, declared: AnyPage | AnyAction, limiter: GcraLimiter): Promise<void> {
  const kindOfPost = 'isRapid' in declared ? 'rapid' : 'post';
  const kind = declared.method === 'post' ? kindOfPost : declared.isFile ? 'file' : 'view';
  // The session ID is a credential, so the key contains only its hash.
  const key = `page-${kind}:${sha256Hex(sessionId)}`;
  await takeOrRefuse(limiter, { key, limit: sessionLimits[kind], burst: sessionLimits[kind] });
}

/** Fills in the parameters of a path with those of the request. */
function fillIn(path: string, { params }: Request): string {
  return path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(params[name] ?? '')));
}

async function checkToken(
  action: AnyAction,
  values: SentValues,
  request: Request,
  { cookies, csrf, clock }: MountPagesOptions,
): Promise<void> {
  const visitorId = cookies.readSession(request);
  const token = textOf(values, '_csrf');
  if (visitorId === null) throw new WebError('CSRF_CHECK_FAILED');
  const isGood =
    action.token === 'once' ? await csrf.spend(visitorId, token, clock.now()) : csrf.isToken(visitorId, token);
  if (!isGood) throw new WebError('CSRF_CHECK_FAILED');
}

type Shown = { visit: Visit; request: Request; query: unknown; sent: SentForm };

async function show(
  page: AnyPage,
  { visit, request, query, sent }: Shown,
  { services, clock }: MountPagesOptions,
): Promise<Answer> {
  const params = readParams(page.params, request);
  return await page.show({ visit: withTexts(visit, page), params, query, sent, now: clock.now() } as never, services);
}

/** Returns the visit with the texts of a page beside the shared ones. */
function withTexts(visit: Visit, { texts }: AnyPage | AnyAction): Visit {
  return { ...visit, texts: { ...visit.texts, ...texts[visit.language] } };
}

function readParams(schema: z.ZodType | undefined, request: Request): unknown {
  const params = schema?.safeParse(request.params);
  if (params?.success === false) throw new WebError('NOT_FOUND');
  return params?.data;
}

/** Validates the query field by field. Invalid fields are dropped. */
function readQuery(schema: z.ZodType | undefined, request: Request): unknown {
  const query: Record<string, unknown> = { ...request.query };
  const first = schema?.safeParse(query);
  if (!first || first.success) return first?.data;
  for (const { path } of first.error.issues) delete query[String(path[0])];
  const second = schema?.safeParse(query);
  if (!second?.success) throw new WebError('NOT_FOUND');
  return second.data;
}
