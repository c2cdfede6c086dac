import { html } from 'hono/html';
import { z } from 'zod';
import type { WebServices } from '#api/web/framework/page.ts';
import { type SentForm, textOf } from '#api/web/visit/sent-form.ts';
import type { VisitUser } from '#api/web/visit/visit.ts';
import { modes } from '#common/modes.ts';
import {
  type AuthorizeOutcome,
  type AuthorizeRequest,
  readAuthorizeRequest,
} from '#common/oauth/authorization/authorize.ts';
import { denyConsent, grantConsent } from '#common/oauth/authorization/consent.ts';
import { isMetadataUrl } from '#common/oauth/clients/client-metadata.ts';
import { isLoopbackUri } from '#common/oauth/clients/redirect-uri.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';
import { modeBadge } from '../design/badge.ts';
import { postForm } from '../design/form.ts';
import { type Markup, nothing } from '../design/markup.ts';
import { notice } from '../design/notice.ts';
import { type Answer, redirect, view } from '../framework/answer.ts';
import { choice } from '../framework/forms/form-fields.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const path = '/oauth/authorize';
/** Metadata documents that one user makes this server fetch: per minute, and at once. */
const fetchLimit = { limit: 12, burst: 5 };

/**
 * The OAuth authorization endpoint. Invalid requests are refused before the user has to sign in, except those of public
 * clients, whose metadata is fetched. Consent is asked for every request, even if it was granted before.
 */
export const authorizePage = definePage({
  path,

  async show({ visit, sent }, services) {
    const query = sent.path === null ? readQuery(visit) : textOf(sent.values, 'request');
    const pairs = new URLSearchParams(query);
    if (mayNotFetch(visit, pairs)) return signInFirst(visit, query);
    const reading = await read(visit, pairs, services);
    if (reading.kind !== 'request') return refuse(visit, reading);
    if (!visit.user) return signInFirst(visit, query);
    const { name: organization } = await readOrganization(visit.user.organizationId);
    return ask(visit, visit.user, { request: reading.request, organization, query, sent });
  },
});

/** Validates the request again, because the form's copy of it comes from the browser. */
export const answerConsentAction = defineAction({
  path,
  form: z.object({ request: z.string(), action: choice(['allow', 'deny']), mode: choice(modes).optional() }),
  page: authorizePage,
  token: 'once',

  async run({ visit, form, now }, services) {
    const pairs = new URLSearchParams(form.request);
    if (mayNotFetch(visit, pairs)) return signInFirst(visit, form.request);
    const { baseUrl, tokenMint } = services;
    const reading = await read(visit, pairs, services);
    if (reading.kind !== 'request') return refuse(visit, reading);
    if (!visit.user) return signInFirst(visit, form.request);
    const { request } = reading;
    if (form.action === 'deny') return redirect(denyConsent({ request, issuer: baseUrl }));
    const user = { _id: visit.user.userId, organizationId: visit.user.organizationId };
    const granting = { request, user, issuer: baseUrl, mint: tokenMint, at: now };
    return redirect(await grantConsent({ ...granting, ...(form.mode && { chosenMode: form.mode }) }));
  },
});

/** Validates the request. Throws RATE_LIMITED when the user has made this server fetch too many documents. */
async function read(
  { user }: Visit,
  pairs: URLSearchParams,
  { baseUrl, findClient, limiter }: Pick<WebServices, 'baseUrl' | 'findClient' | 'limiter'>,
): Promise<AuthorizeOutcome> {
  const quota = { key: `client-metadata:${user?.userId}`, ...fetchLimit };
  return await readAuthorizeRequest(pairs, baseUrl, (id) => findClient(id, () => takeOrRefuse(limiter, quota)));
}

function readQuery({ askedFor }: Visit): string {
  const start = askedFor.indexOf('?');
  return start < 0 ? '' : askedFor.slice(start + 1);
}

/** Redirects to the application with the error, or shows a page if the redirect URI is not trusted. */
function refuse(visit: Visit, reading: Exclude<AuthorizeOutcome, { kind: 'request' }>): Answer {
  if (reading.kind === 'redirect') return redirect(reading.location);
  const texts = visit.texts.consent.broken;
  return view({
    status: 400,
    title: texts.title,
    layout: 'narrow',
    body: html`<h1>${texts.title}</h1>
${problemOf(texts, reading)}`,
  });
}

function problemOf(
  texts: Visit['texts']['consent']['broken'],
  reading: Exclude<AuthorizeOutcome, { kind: 'request' | 'redirect' }>,
): Markup {
  if (reading.kind === 'unreachable') return html`<p>${texts.unreachable}</p>`;
  const advice = html`<p>${texts.advice}</p>`;
  if (reading.kind === 'page-error') return html`<p>${texts[reading.parameter]}</p>${advice}`;
  const { description, location } = reading;
  const link = html`<a href="${location}">${texts.returnTo(new URL(location).host)}</a>`;
  return html`<p lang="en">${description}</p>${advice}<p>${link}</p>`;
}

/** Strangers must not make this server fetch a URL of their choice. */
function mayNotFetch({ user }: Visit, pairs: URLSearchParams): boolean {
  return user === null && pairs.getAll('client_id').some(isMetadataUrl);
}

function signInFirst(visit: Visit, query: string): Answer {
  return redirect(visit.href('/sign-in', { next: `${visit.href(path)}?${query}` }));
}

type Question = { request: AuthorizeRequest; organization: string; query: string; sent: SentForm };

function ask(visit: Visit, { email }: VisitUser, { request, organization, query, sent }: Question): Answer {
  const { consent: texts, apiKeys } = visit.texts;
  const { client, scopes, redirectUri } = request;
  const scopeLine = (scope: (typeof scopes)[number]): Markup =>
    html`<li>${apiKeys.scopeTexts[scope]} <code>${scope}</code></li>`;
  const { origin, host } = new URL(redirectUri);
  return view({
    title: texts.title,
    layout: 'narrow',
    // Browsers also check the redirect after the form against the policy of this page.
    formActionOrigins: [toPolicySource(origin)],
    body: html`<h1>${texts.heading(client.name)}</h1>
${
  client.mode === null
    ? html`<p>${texts.unverified(new URL(client.id).host)}</p>
<p>${texts.describedAt} <code>${client.id}</code></p>`
    : html`<p>${modeBadge(visit.texts, client.mode)}</p>`
}
<p>${texts.lead(email, organization)}</p>
<ul class="bullets">${scopes.map(scopeLine)}</ul>
${client.mode === null ? nothing : notice('warning', texts.pays[client.mode])}
${isLoopbackUri(redirectUri) && client.mode === null ? notice('warning', texts.onDevice) : nothing}
<p>${texts.leadsTo(host)} ${texts.revokeHint}</p>
${postForm(
  { visit, sent, action: path, once: true },
  (fields) => html`${fields.hidden('request', query)}
${client.mode === null ? fields.radios({ name: 'mode', label: visit.texts.words.labels.mode, options: modes.map((mode) => ({ value: mode, ...apiKeys.modes[mode] })), chosen: ['test'] }) : nothing}
<div class="actions">${fields.submit({ value: 'allow', label: texts.allow })}
${fields.submit({ value: 'deny', label: texts.deny, kind: 'plain' })}</div>`,
)}`,
  });
}

/** CSP sources cannot contain IPv6 addresses. Only applications under test on this machine use one. */
function toPolicySource(origin: string): string {
  return origin.startsWith('http://[') ? 'http:' : origin;
}
