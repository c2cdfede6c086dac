import type { z } from 'zod';
import type { ApiServices } from '#api/route.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import type { Access, VisitOf } from '#api/web/visit/visit.ts';
import type { Language } from '#common/languages.ts';
import type { ClientFinder } from '#common/oauth/clients/find-client.ts';
import type { TokenMint } from '#common/oauth/tokens/token-mint.ts';
import type { BackgroundTasks } from '#common/platform/process/background-tasks.ts';
import type { Mailer } from '#common/platform/process/mailer.ts';
import type { GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { Revocations } from '#common/platform/redis/revocations.ts';
import type { Answer } from './answer.ts';
import type { FileLimits, SentFiles } from './forms/file-form.ts';

/** Services that handlers pass to `common`. */
export type WebServices = ApiServices & {
  /** Queues that wait seconds for Redis. `hints` is for requests that must not wait and gives up after 50 ms. */
  boardHints: Pick<Hints, 'queues'>;
  limiter: GcraLimiter;
  mailer: Mailer;
  backgroundTasks: BackgroundTasks;
  tokenMint: TokenMint;
  findClient: ClientFinder;
  revocations: Revocations;
  /** Public base URLs of the API and of the web host, without a trailing slash. */
  baseUrl: string;
  authUrl: string;
};

type Schema = z.ZodType;
type PagePath = `/${string}`;

type PageRequest<A extends Access, P extends Schema, Q extends Schema, T> = {
  visit: VisitOf<A, T>;
  params: z.output<P>;
  query: z.output<Q>;
  now: Date;
};

/**
 * Declaration of a page (GET). The path has no language prefix. The router, the checks and the tests that walk all pages
 * are derived from it.
 */
export type Page<A extends Access, P extends Schema, Q extends Schema, T> = {
  method: 'get';
  path: PagePath;
  access: A;
  /** Invalid path parameters are 404, like unknown IDs. */
  params?: P;
  /** Invalid query parameters are ignored, so a mistyped URL still shows the page. */
  query?: Q;
  /** The response is an image or a file instead of an HTML page. */
  isFile?: true;
  /** `sent` is `noForm`, or the form that an action of this page refused, to show again with its errors. */
  show(request: PageRequest<A, P, Q, T> & { sent: SentForm }, services: WebServices): Promise<Answer>;
};

/** Declaration of a form submission (POST). It returns a redirect, or a page that is shown only once. */
export type Action<A extends Access, P extends Schema, F extends Schema, T> = {
  method: 'post';
  path: PagePath;
  access: A;
  params?: P;
  form: F;
  /** Shown again, with status 400, when the form is invalid or `common` refuses it. */
  page: AnyPage;
  /** `once`: the form contains `visit.csrf.fieldOnce()`, whose token is valid for one submission. */
  token?: 'once';
  /** Submitted many times in a row, such as scans: has the limit of views instead of that of forms. */
  isRapid?: true;
  /** The form has a long text, such as that of a letter. */
  isLong?: true;
  /** The form has files, and is sent as `multipart/form-data`. Its CSRF token precedes them. */
  files?: FileLimits;
  /** `files` are on disk until this ends, in the order of the form. */
  run(
    request: Omit<PageRequest<A, P, z.ZodUndefined, T>, 'query'> & { form: z.output<F> } & Omit<SentFiles, 'values'>,
    services: WebServices,
  ): Promise<Answer>;
};

/** Texts that a page has in addition to the shared ones. */
type OwnTexts = { texts: Record<Language, object> };

/** Declarations with their types erased, for the router. */
export type AnyPage = OwnTexts &
  Omit<Page<Access, Schema, Schema, unknown>, 'show'> & {
    show(request: never, services: WebServices): Promise<Answer>;
  };
export type AnyAction = OwnTexts &
  Omit<Action<Access, Schema, Schema, unknown>, 'run'> & {
    run(request: never, services: WebServices): Promise<Answer>;
  };

/**
 * Returns `definePage` and `defineAction` of an area. `access`: who may open its pages. Handlers find its texts in
 * `visit.texts`, beside the shared ones. The compiler checks the handlers against the schemas.
 */
export function pagesWith<A extends Access, T extends object>(
  access: A,
  texts: { en: T } & Record<Language, NoInfer<T>>,
) {
  return {
    /** Declares a page. */
    definePage<P extends Schema = z.ZodUndefined, Q extends Schema = z.ZodUndefined>(
      page: Omit<Page<A, P, Q, T>, 'method' | 'access'>,
    ): AnyPage {
      return { ...page, access, texts, method: 'get' };
    },
    /** Declares an action. */
    defineAction<F extends Schema, P extends Schema = z.ZodUndefined>(
      action: Omit<Action<A, P, F, T>, 'method' | 'access'>,
    ): AnyAction {
      return { ...action, access, texts, method: 'post' };
    },
  };
}

/** For areas without texts of their own. */
export const noTexts: Record<Language, object> = { en: {}, fr: {}, nl: {}, de: {} };
