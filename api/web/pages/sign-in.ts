import { html } from 'hono/html';
import { z } from 'zod';
import { beginSession, endSession } from '../../../common/sessions/sessions.ts';
import { type SignInResult, signIn } from '../../../common/sessions/sign-in.ts';
import { redirect, view } from '../answer.ts';
import { emailField, presentPassword } from '../form-fields.ts';
import { FormRefusal } from '../form-refusal.ts';
import { defineAction, definePage } from '../page.ts';
import { textOf } from '../read-form.ts';
import { readReturnPath } from '../return-path.ts';
import { postForm } from '../views/form.ts';
import type { Visit } from '../visit.ts';

/** One e-mail and one password. `next` is the page that was asked for, and is come back to. */
export const signInPage = definePage({
  path: '/sign-in',
  access: 'anyone',
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
  access: 'anyone',
  form: z.object({ email: emailField, password: presentPassword, next: z.string().optional() }),
  page: signInPage,

  async run({ visit, form: { email, password, next }, now }, { limiter }) {
    const attempt = { email, password, address: visit.address, deviceId: visit.deviceOf(email) };
    const user = assertSignedIn(await signIn(attempt, limiter));
    if (visit.sessionId !== null) await endSession(visit.sessionId);
    const session = { begin: await beginSession(user, now), email };
    return redirect(readReturnPath(next) ?? startOf(visit, user.language !== null), session);
  },
});

function assertSignedIn(result: SignInResult) {
  if (result.outcome === 'signed-in') return result.user;
  if (result.outcome === 'wrong') throw new FormRefusal({ '': 'wrongSignIn' });
  throw new FormRefusal({ '': 'throttled' }, { status: 429, headers: { 'Retry-After': String(result.retryAfterS) } });
}

/** The account, in the language that the user has chosen, else in the one he reads just now. */
function startOf(visit: Visit, hasLanguage: boolean): string {
  return hasLanguage ? '/account' : visit.href('/account');
}
