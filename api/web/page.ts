import type { z } from 'zod';
import type { PrintPreviews } from '../../common/mail-jobs/print-previews.ts';
import type { TokenMint } from '../../common/oauth/token-mint.ts';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';
import type { Mailer } from '../../common/platform/mailer.ts';
import type { Revocations } from '../../common/platform/revocations.ts';
import type { ApiServices } from '../route.ts';
import type { Access } from './access.ts';
import type { Answer } from './answer.ts';
import type { SentForm } from './read-form.ts';
import type { VisitOf } from './visit.ts';

/** What handlers hand down to the domain. */
export type WebServices = ApiServices & {
  limiter: GcraLimiter;
  mailer: Mailer;
  tokenMint: TokenMint;
  revocations: Revocations;
  printPreviews: PrintPreviews;
  /** The addresses of the API and of this host as others know them, without a slash at the end. */
  baseUrl: string;
  authUrl: string;
};

type Schema = z.ZodType;
type PagePath = `/${string}`;

type Asked<A extends Access, P extends Schema, Q extends Schema> = {
  visit: VisitOf<A>;
  params: z.output<P>;
  query: z.output<Q>;
  now: Date;
};

/**
 * A page that is looked at (GET). The path is without the language; the router, the checks and the tests that walk all
 * pages come from this one declaration.
 */
export type Page<A extends Access, P extends Schema, Q extends Schema> = {
  method: 'get';
  path: PagePath;
  access: A;
  /** A path parameter that does not fit is 404, like one that nobody has. */
  params?: P;
  /** What does not fit counts as absent: an address that was typed wrong still shows the page. */
  query?: Q;
  /** Shows no page of its own: a picture or a file that pages lead to. */
  isFile?: true;
  /** `sent` is empty, or the form that an action of this page has refused, to be shown again with what is wrong. */
  show(request: Asked<A, P, Q> & { sent: SentForm }, services: WebServices): Promise<Answer>;
};

/** What a posting form does. It answers by a redirect to a page, or by a page that is seen only once. */
export type Action<A extends Access, P extends Schema, F extends Schema> = {
  method: 'post';
  path: PagePath;
  access: A;
  params?: P;
  form: F;
  /** Shown again, with status 400, when the form does not fit or the domain refuses it. */
  page: AnyPage;
  /** `once`: the form brings `visit.csrf.fieldOnce()`, whose token is good for one post. */
  token?: 'once';
  run(
    request: Omit<Asked<A, P, z.ZodUndefined>, 'query'> & { form: z.output<F> },
    services: WebServices,
  ): Promise<Answer>;
};

/** Declarations whose types no longer matter: what the router sees. */
export type AnyPage = Omit<Page<Access, Schema, Schema>, 'show'> & {
  show(request: never, services: WebServices): Promise<Answer>;
};
export type AnyAction = Omit<Action<Access, Schema, Schema>, 'run'> & {
  run(request: never, services: WebServices): Promise<Answer>;
};

/** Declares a page, checking that its handler fits its schemas. */
export function definePage<A extends Access, P extends Schema = z.ZodUndefined, Q extends Schema = z.ZodUndefined>(
  page: Omit<Page<A, P, Q>, 'method'>,
): AnyPage {
  return { ...page, method: 'get' };
}

/** Declares what a form does. */
export function defineAction<F extends Schema, A extends Access, P extends Schema = z.ZodUndefined>(
  action: Omit<Action<A, P, F>, 'method'>,
): AnyAction {
  return { ...action, method: 'post' };
}
