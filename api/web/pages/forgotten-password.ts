import { html } from 'hono/html';
import { z } from 'zod';
import { createPasswordReset } from '../../../common/sessions/reset-password.ts';
import { view } from '../answer.ts';
import { emailField } from '../form-fields.ts';
import { FormRefusal } from '../form-refusal.ts';
import { passwordResetMail } from '../mails/password-mails.ts';
import { defineAction, definePage } from '../page.ts';
import { postForm } from '../views/form.ts';

/** Mails asked for from one address; each account has a bound of its own. */
const askLimit = { limit: 20, burst: 10 };

export const forgottenPasswordPage = definePage({
  path: '/forgotten-password',
  access: 'anyone',

  async show({ visit, sent }) {
    const texts = visit.texts.signIn;
    return view({
      title: texts.forgottenTitle,
      layout: 'narrow',
      body: html`<h1>${texts.forgottenTitle}</h1>
<p class="lead">${texts.forgottenLead}</p>
${postForm(
  { visit, sent, action: '/forgotten-password' },
  (fields) => html`${fields.text({ name: 'email', type: 'email', label: texts.email, autocomplete: 'username' })}
${fields.submit({ value: 'send-link', label: texts.forgottenSubmit })}`,
)}
<p class="below"><a href="${visit.href('/sign-in')}">${texts.backToSignIn}</a></p>`,
    });
  },
});

export const sendLinkAction = defineAction({
  path: '/forgotten-password',
  access: 'anyone',
  form: z.object({ email: emailField }),
  page: forgottenPasswordPage,

  async run({ visit, form: { email }, now }, { limiter, mailer, authUrl }) {
    const { isAllowed, retryAfterS } = await limiter.take({ key: `forgotten-password:${visit.address}`, ...askLimit });
    if (!isAllowed) {
      throw new FormRefusal({ '': 'throttled' }, { status: 429, headers: { 'Retry-After': String(retryAfterS) } });
    }
    const reset = await createPasswordReset(email, now);
    // Not waited for: how long a mail takes would tell who has an account.
    if (reset) mailer.post(passwordResetMail({ ...reset, language: reset.user.language ?? visit.language, authUrl }));
    const texts = visit.texts.signIn;
    return view({
      title: texts.sentTitle,
      layout: 'narrow',
      body: html`<h1>${texts.sentTitle}</h1>
<p class="lead">${texts.sentText}</p>
<p>${texts.sentHint}</p>
<p class="below"><a href="${visit.href('/sign-in')}">${texts.backToSignIn}</a></p>`,
    });
  },
});
