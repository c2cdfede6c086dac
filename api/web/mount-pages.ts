import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import type { Clock } from '../../common/clock.ts';
import { AppError } from '../../common/errors.ts';
import type { Answer } from './answer.ts';
import { isOwnOrigin } from './csrf.ts';
import { FormRefusal } from './form-refusal.ts';
import { splitPath } from './language.ts';
import type { AnyAction, AnyPage, WebServices } from './page.ts';
import {
  issuesToFormErrors,
  noForm,
  readFormBody,
  type SentForm,
  type SentValues,
  sentValues,
  textOf,
  toFormErrors,
} from './read-form.ts';
import { sendAnswer } from './send-answer.ts';
import { en } from './texts/en.ts';
import { beginVisit, type Visit, type VisitOptions } from './visit.ts';
import { WebError } from './web-error.ts';

export type MountPagesOptions = VisitOptions & {
  pages: readonly (AnyPage | AnyAction)[];
  services: WebServices;
  clock: Clock;
};

/**
 * A router for all pages, each at its path with and without a language in front. Each request passes the same checks in
 * the same order: 404 and 405, the origin of a post (403), who is there (303 to the sign-in, 403), the body (415, 400),
 * its token (403), and then the form itself, which is shown again with what is wrong.
 */
export function mountPages(options: MountPagesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(dropLanguage);
  for (const [path, declared] of Map.groupBy(options.pages, (page) => page.path)) {
    const mounted = router.route(path);
    for (const page of declared) {
      if (page.method === 'get') mounted.get(showPage(page, options));
      else mounted.post(readFormBody, runAction(page, options));
    }
    mounted.all(refuseMethod(declared.map(({ method }) => method.toUpperCase())));
  }
  return router;
}

/** The router knows paths without a language only; the visit looks at the address as it was asked for. */
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
    const { services, clock, cookies } = options;
    if (!isOwnOrigin(request, services.authUrl)) throw new WebError('FOREIGN_FORM');
    const visit = await admit(action, request, response, options);
    if (!visit) return;
    const values = sentValues(request);
    await checkToken(action, values, request, options);
    const form = action.form.safeParse(values);
    const params = readParams(action.params, request);
    try {
      if (!form.success) throw new FormRefusal(toFormErrors(form.error));
      const answer = await action.run({ visit, params, form: form.data, now: clock.now() } as never, services);
      return await sendAnswer(answer, { visit, request, response, cookies });
    } catch (error) {
      const { errors, status, headers } = toRefusal(error);
      // Of several webhooks' forms, the one that was sent.
      const sent = { path: fillIn(action.path, request), values, errors };
      const answer = await show(
        action.page,
        { visit, request, query: readQuery(action.page.query, request), sent },
        options,
      );
      await sendAnswer(answer, { visit, request, response, cookies, status, headers });
    }
  };
}

/** What a page is shown again for; anything else goes on to the error page. */
function toRefusal(error: unknown): FormRefusal {
  if (error instanceof FormRefusal) return error;
  if (error instanceof AppError && error.status === 400) return new FormRefusal(issuesToFormErrors(error.issues ?? []));
  // What the state of things forbids, or a wallet cannot cover.
  if (error instanceof AppError && (error.status === 409 || error.status === 402)) {
    const word = Object.hasOwn(en.form.errors, error.code) ? error.code : error.message;
    return new FormRefusal({ '': word }, { status: 409 });
  }
  throw error;
}

/** The visit, when this visitor may come in; otherwise he is sent to the sign-in, and nothing is left to do. */
async function admit(
  declared: AnyPage | AnyAction,
  request: Request,
  response: Response,
  { cookies, csrf, clock }: MountPagesOptions,
): Promise<Visit | null> {
  const { access } = declared;
  const isEnglish = access === 'admin';
  const begun = await beginVisit(request, response, { cookies, csrf, isEnglish, now: clock.now() });
  // An action has no page of its own: its visitor stands on the one that its form is part of.
  const visit = declared.method === 'post' ? { ...begun, path: fillIn(declared.page.path, request) } : begun;
  if (access === 'anyone') return visit;
  if (!visit.user) {
    // What a form would have done is not done later.
    const next = declared.method === 'post' ? visit.href(visit.path) : visit.askedFor;
    response.redirect(303, visit.href('/sign-in', { next }));
    return null;
  }
  if (access === 'admin' && !visit.user.isAdmin) throw new WebError('FORBIDDEN');
  return visit;
}

/** The path of a page whose parameters an action has in its own path, by the same names. */
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
  if (visitorId === null) throw new WebError('FOREIGN_FORM');
  const isGood =
    action.token === 'once' ? await csrf.spend(visitorId, token, clock.now()) : csrf.isToken(visitorId, token);
  if (!isGood) throw new WebError('FOREIGN_FORM');
}

type Shown = { visit: Visit; request: Request; query: unknown; sent: SentForm };

async function show(
  page: AnyPage,
  { visit, request, query, sent }: Shown,
  { services, clock }: MountPagesOptions,
): Promise<Answer> {
  const params = readParams(page.params, request);
  return await page.show({ visit, params, query, sent, now: clock.now() } as never, services);
}

function readParams(schema: z.ZodType | undefined, request: Request): unknown {
  const params = schema?.safeParse(request.params);
  if (params?.success === false) throw new WebError('NOT_FOUND');
  return params?.data;
}

/** Field by field: one that does not fit is left out, and the others still count. */
function readQuery(schema: z.ZodType | undefined, request: Request): unknown {
  const query: Record<string, unknown> = { ...request.query };
  const first = schema?.safeParse(query);
  if (!first || first.success) return first?.data;
  for (const { path } of first.error.issues) delete query[String(path[0])];
  const second = schema?.safeParse(query);
  if (!second?.success) throw new WebError('NOT_FOUND');
  return second.data;
}
