import type { Request, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { html } from 'hono/html';
import { type Format, formatOf } from '#api/web/texts/format.ts';
import { type Texts, textsOf } from '#api/web/texts/texts.ts';
import { scopes } from '#common/access/scopes.ts';
import type { AuditActor } from '#common/audit/audit.model.ts';
import type { Language } from '#common/languages.ts';
import type { Owner } from '#common/modes.ts';
import type { UserRecord } from '#common/organizations/user.model.ts';
import { findSessionUser } from '#common/sessions/sessions.ts';
import type { Cookies } from './cookies.ts';
import type { Csrf } from './csrf.ts';
import { readAcceptedLanguage, splitPath } from './language.ts';

/** Who may open a page: anyone, a signed-in user, or an administrator of the installation. */
export type Access = 'anyone' | 'user' | 'admin';

/** The signed-in user. */
export type VisitUser = Pick<UserRecord, 'organizationId' | 'email' | 'isAdmin' | 'language'> & { userId: string };

/** One request to a page, with everything that is needed to render the response. `T`: the texts that the page brings. */
export type VisitWith<T> = {
  language: Language;
  texts: Texts & T;
  format: Format;
  user: VisitUser | null;
  /** Path without the language. */
  path: string;
  /** Path and query as requested. */
  askedFor: string;
  /** Key of `texts.notices`, from the query of a redirect. */
  notice: keyof Texts['notices'] | null;
  /** Client address for rate limits: an IPv4 address, or the /56 of an IPv6 address. */
  address: string;
  /** Returns the device ID of this browser for an account. Null if it has not signed in to that account before. */
  deviceOf(email: string): string | null;
  /** ID of the session, or null. */
  sessionId: string | null;
  csrf: {
    /** Returns the hidden field for forms that post. */
    field(): ReturnType<typeof html>;
    /** Returns the hidden field for an action with `token: 'once'`. */
    fieldOnce(): ReturnType<typeof html>;
  };
  /** Returns the URL of a page in the language of the visit. A `notice` in the query is shown on that page. */
  href(path: string, query?: Record<string, string | undefined>): string;
};

/** What all pages know of a visit. */
export type Visit = VisitWith<unknown>;

export type VisitOf<A extends Access, T = unknown> = A extends 'anyone'
  ? VisitWith<T>
  : VisitWith<T> & { user: VisitUser; sessionId: string };

/** Returns the actor for the audit log. */
export function actorOf({ user }: VisitOf<'user'>): AuditActor {
  return { kind: 'user', id: user.userId };
}

/** Returns the user as the caller of a rule: they may do everything with what the organization has in this mode. */
export function callerOf(visit: VisitOf<'user'>, { organizationId, mode }: Owner) {
  const actor = actorOf(visit);
  return { organizationId, mode, scopes, id: actor.id, actor };
}

export type VisitOptions = { cookies: Cookies; csrf: Csrf };

/** Begins a visit: reads session and language. `isEnglish` is for pages that exist only in English. */
export async function beginVisit(
  request: Request,
  response: Response,
  { cookies, csrf, isEnglish, now }: VisitOptions & { isEnglish: boolean; now: Date },
): Promise<Visit> {
  const askedFor = request.originalUrl;
  const url = URL.parse(askedFor, 'http://host') ?? new URL('http://host/');
  const { language: segment, path } = splitPath(url.pathname);
  let visitorId = cookies.readSession(request);
  const record = visitorId === null ? null : await findSessionUser(visitorId, now);
  const language = isEnglish ? 'en' : (segment ?? record?.language ?? readAcceptedLanguage(request));
  const texts = textsOf(language);
  const notice = url.searchParams.get('notice');
  const visitor = () => {
    visitorId ??= cookies.beginVisit(response);
    return visitorId;
  };
  const tokenField = (token: string) => html`<input type="hidden" name="_csrf" value="${token}">`;

  return {
    language,
    texts,
    format: formatOf(language),
    user: record && toVisitUser(record),
    path,
    askedFor,
    notice: notice !== null && Object.hasOwn(texts.notices, notice) ? (notice as keyof Texts['notices']) : null,
    address: ipKeyGenerator(request.ip ?? '::'),
    deviceOf: (email) => cookies.readDevice(request, email),
    sessionId: record === null ? null : visitorId,
    csrf: {
      field: () => tokenField(csrf.tokenOf(visitor())),
      fieldOnce: () => tokenField(csrf.tokenOnce(visitor(), now)),
    },
    href(to, query = {}) {
      const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
      const search = new URLSearchParams(pairs).toString();
      return `/${language}${to === '/' ? '' : to}${search === '' ? '' : `?${search}`}`;
    },
  };
}

function toVisitUser({ _id: userId, organizationId, email, isAdmin, language }: UserRecord): VisitUser {
  return { userId, organizationId, email, isAdmin, language };
}
