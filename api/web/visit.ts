import type { Request, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { html } from 'hono/html';
import type { Language } from '../../common/languages.ts';
import type { AuditActor } from '../../common/organizations/audit.model.ts';
import type { UserRecord } from '../../common/organizations/user.model.ts';
import { findSessionUser } from '../../common/sessions/sessions.ts';
import type { Access } from './access.ts';
import type { Cookies } from './cookies.ts';
import type { Csrf } from './csrf.ts';
import { type Format, formatOf } from './format.ts';
import { readAcceptedLanguage, splitPath } from './language.ts';
import type { Markup } from './markup.ts';
import type { Texts } from './texts/en.ts';
import { textsOf } from './texts/texts.ts';

/** Who is signed in. */
export type VisitUser = Pick<UserRecord, 'organizationId' | 'email' | 'isAdmin' | 'language'> & { userId: string };

/** One request of a person, and what its answer is written with. */
export type Visit = {
  language: Language;
  texts: Texts;
  format: Format;
  user: VisitUser | null;
  /** Without the language. */
  path: string;
  /** Path and query as they were asked for. */
  askedFor: string;
  /** A word of `texts.notices` that a redirect has brought along. */
  notice: keyof Texts['notices'] | null;
  /** Where the visitor comes from, for limits: an IPv4 address, or the /56 of an IPv6 one. */
  address: string;
  /** What limits count this browser by on this account; null when it has not signed in to it before. */
  deviceOf(email: string): string | null;
  /** The id of the session; null without one. */
  sessionId: string | null;
  csrf: {
    /** The hidden field that every posting form begins with. */
    field(): Markup;
    /** The same for an action whose `token` is `once`. */
    fieldOnce(): Markup;
  };
  /** The address of a page of ours in the language of the visit. `notice` is shown on it once. */
  href(path: string, query?: Record<string, string | undefined>): string;
};

export type VisitOf<A extends Access> = A extends 'anyone' ? Visit : Visit & { user: VisitUser; sessionId: string };

/** Who the audit log says has done it. */
export function actorOf({ user }: VisitOf<'user'>): AuditActor {
  return { kind: 'user', id: user.userId };
}

export type VisitOptions = { cookies: Cookies; csrf: Csrf };

/** Finds out who is there and in which language he reads. `isEnglish`: pages that exist in English only. */
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
