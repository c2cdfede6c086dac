import { html } from 'hono/html';
import { z } from 'zod';
import type { WebServices } from '#api/web/framework/page.ts';
import { textOf } from '#api/web/visit/sent-form.ts';
import { AppError } from '#common/errors.ts';
import type { Language } from '#common/languages.ts';
import { clearNotified, reportFailures, type SignInSource } from '#common/sessions/failed-sign-ins.ts';
import { createSession, endSession } from '#common/sessions/sessions.ts';
import { signIn } from '#common/sessions/sign-in.ts';
import { postForm } from '../design/form.ts';
import { redirect, view } from '../framework/answer.ts';
import { emailField, presentPassword } from '../framework/forms/form-fields.ts';
import { FormRefusal } from '../framework/forms/form-refusal.ts';
import { failedSignInsMail } from '../mails/password-mails.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

/** The sign-in form. `next` is the page to return to. */
export const signInPage = definePage({
  path: '/sign-in',
  query: z.object({ next: z.string().optional() }),

  async show({ visit, query, sent }) {
    const next = readReturnPath(sent.path === null ? query.next : textOf(sent.values, 'next'));
    if (visit.user) return redirect(next ?? startOf(visit, visit.user.language !== null));
    const texts = visit.texts.signIn;
    return view({
      title: texts.title,
      layout: 'narrow',
      body: html`<h1>${texts.title}</h1>
${postForm(
  { visit, sent, action: '/sign-in' },
  (fields) => html`${next === null ? '' : fields.hidden('next', next)}
${fields.text({ name: 'email', type: 'email', label: texts.email, autocomplete: 'username' })}
${fields.password({ name: 'password', label: texts.password, autocomplete: 'current-password' })}
${fields.submit({ value: 'sign-in', label: texts.submit })}`,
)}
<p class="below"><a href="${visit.href('/forgotten-password')}">${texts.forgotten}</a></p>`,
    });
  },
});

export const signInAction = defineAction({
  path: '/sign-in',
  form: z.object({ email: emailField, password: presentPassword, next: z.string().optional() }),
  page: signInPage,

  async run({ visit, form: { email, password, next }, now }, services) {
    const attempt = { email, password, address: visit.address, deviceId: visit.deviceOf(email) };
    const result = await signIn(attempt, services.limiter, now);
    if (result.outcome === 'wrong') {
      const afterwards = () => recordFailure(attempt, now, visit.language, services);
      throw new FormRefusal({ '': 'wrongSignIn' }, { afterwards });
    }
    if (result.outcome === 'throttled') throw new AppError('RATE_LIMITED', { retryAfterS: result.retryAfterS });
    const { user } = result;
    if (visit.sessionId !== null) await endSession(visit.sessionId);
    const session = { begin: await createSession(user, now), email };
    return redirect(readReturnPath(next) ?? startOf(visit, user.language !== null), session);
  },
});

/** Ends the session on the server, so copies of its cookie stop working. */
export const signOutAction = defineAction({
  path: '/sign-out',
  form: z.object({}),
  page: signInPage,

  async run({ visit }) {
    if (visit.sessionId !== null) await endSession(visit.sessionId);
    return redirect(visit.href('/sign-in', { notice: 'signedOut' }), { end: true });
  },
});

/** Records a failed sign-in and, when there are many, notifies the account owner at most once a day. */
async function recordFailure(
  source: SignInSource,
  at: Date,
  language: Language,
  { mailer, authUrl }: Pick<WebServices, 'mailer' | 'authUrl'>,
): Promise<void> {
  const report = await reportFailures(source, at);
  if (!report) return;
  const { user, attempts } = report;
  try {
    await mailer.send(failedSignInsMail({ user, attempts, language: user.language ?? language, authUrl }));
  } catch (error) {
    await clearNotified(source, at);
    throw error;
  }
}

/** Returns the account page in the user's chosen language, or in the language of the current page. */
function startOf(visit: Visit, hasLanguage: boolean): string {
  return hasLanguage ? '/account' : visit.href('/account');
}

/** Maximum length. The longest path is an authorize request with a long `state`. */
const maxReturnPathLength = 8_192;

/**
 * Returns the path to return to after the sign-in, or null if it leads to another site. This prevents open redirects.
 */
export function readReturnPath(text: string | undefined): string | null {
  if (text === undefined || text.length > maxReturnPathLength || !text.startsWith('/')) return null;
  // Browsers treat a backslash as a slash and remove tabs and line breaks.
  if (/[\\\p{Cc}]/u.test(text)) return null;
  const url = URL.parse(text, 'https://host.invalid');
  if (url?.origin !== 'https://host.invalid') return null;
  return `${url.pathname}${url.search}`.startsWith('//') ? null : `${url.pathname}${url.search}`;
}
