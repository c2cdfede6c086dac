import { html } from 'hono/html';
import { z } from 'zod';
import { type AuthorizeReading, type AuthorizeRequest, readAuthorizeRequest } from '../../../common/oauth/authorize.ts';
import { denyConsent, grantConsent } from '../../../common/oauth/consent.ts';
import { type Answer, redirect, view } from '../answer.ts';
import { choice } from '../form-fields.ts';
import type { Markup } from '../markup.ts';
import { defineAction, definePage } from '../page.ts';
import { type SentForm, textOf } from '../read-form.ts';
import { modeBadge } from '../views/badge.ts';
import { postForm } from '../views/form.ts';
import { notice } from '../views/notice.ts';
import type { Visit, VisitUser } from '../visit.ts';

const path = '/oauth/authorize';

/**
 * Where an application sends its user to be let in. What is wrong with the request is said before anybody has to sign
 * in; the question itself is asked each time.
 */
export const authorizePage = definePage({
  path,
  access: 'anyone',

  async show({ visit, sent }, { baseUrl }) {
    const query = sent.path === null ? readQuery(visit) : textOf(sent.values, 'request');
    const reading = await readAuthorizeRequest(new URLSearchParams(query), baseUrl);
    if (reading.kind !== 'request') return refuse(visit, reading);
    return visit.user ? ask(visit, visit.user, { request: reading.request, query, sent }) : signInFirst(visit, query);
  },
});

/** The request is read again: what the form brings along is only what a browser says that the application said. */
export const answerConsentAction = defineAction({
  path,
  access: 'anyone',
  form: z.object({ request: z.string(), action: choice(['allow', 'deny']) }),
  page: authorizePage,
  token: 'once',

  async run({ visit, form, now }, { baseUrl, tokenMint }) {
    const reading = await readAuthorizeRequest(new URLSearchParams(form.request), baseUrl);
    if (reading.kind !== 'request') return refuse(visit, reading);
    if (!visit.user) return signInFirst(visit, form.request);
    const { request } = reading;
    if (form.action === 'deny') return redirect(denyConsent({ request, issuer: baseUrl }));
    const user = { _id: visit.user.userId, organizationId: visit.user.organizationId };
    return redirect(await grantConsent({ request, user, issuer: baseUrl, mint: tokenMint, at: now }));
  },
});

function readQuery({ askedFor }: Visit): string {
  const start = askedFor.indexOf('?');
  return start < 0 ? '' : askedFor.slice(start + 1);
}

/** Back to the application with the error or, where nobody may be sent, a page. */
function refuse(visit: Visit, reading: Exclude<AuthorizeReading, { kind: 'request' }>): Answer {
  if (reading.kind === 'redirect') return redirect(reading.location);
  const texts = visit.texts.consent.broken;
  return view({
    status: 400,
    title: texts.title,
    layout: 'narrow',
    body: html`<h1>${texts.title}</h1>
<p>${texts[reading.parameter]}</p>
<p>${texts.advice}</p>`,
  });
}

function signInFirst(visit: Visit, query: string): Answer {
  return redirect(visit.href('/sign-in', { next: `${visit.href(path)}?${query}` }));
}

type Question = { request: AuthorizeRequest; query: string; sent: SentForm };

function ask(visit: Visit, { email }: VisitUser, { request, query, sent }: Question): Answer {
  const { consent: texts, apiKeys } = visit.texts;
  const { client, scopes, redirectUri } = request;
  const scopeLine = (scope: (typeof scopes)[number]): Markup =>
    html`<li>${apiKeys.scopeTexts[scope]} <code>${scope}</code></li>`;
  const { origin, host } = new URL(redirectUri);
  return view({
    title: texts.title,
    layout: 'narrow',
    // Browsers hold the redirect that answers the form against its page's policy.
    formActionOrigins: [toPolicySource(origin)],
    body: html`<h1>${texts.heading(client.name)}</h1>
<p>${modeBadge(visit.texts, client.mode)}</p>
<p>${texts.lead(email)}</p>
<ul class="bullets">${scopes.map(scopeLine)}</ul>
${notice('warning', texts.pays[client.mode])}
<p>${texts.leadsTo(host)} ${texts.takeBack}</p>
${postForm(
  { visit, sent, action: path, once: true },
  (fields) => html`${fields.hidden('request', query)}
<div class="actions">${fields.submit({ value: 'allow', label: texts.allow })}
${fields.submit({ value: 'deny', label: texts.deny, kind: 'plain' })}</div>`,
)}`,
  });
}

/** A policy knows no IPv6 addresses; only an application under test on this very machine has one. */
function toPolicySource(origin: string): string {
  return origin.startsWith('http://[') ? 'http:' : origin;
}
