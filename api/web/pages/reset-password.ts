import { html } from 'hono/html';
import { z } from 'zod';
import { isResetTokenGood, resetPassword } from '../../../common/sessions/reset-password.ts';
import { redirect, view } from '../answer.ts';
import { newPassword } from '../form-fields.ts';
import { FormRefusal } from '../form-refusal.ts';
import { passwordChangedMail } from '../mails/password-mails.ts';
import { defineAction, definePage } from '../page.ts';
import { textOf } from '../read-form.ts';
import { postForm } from '../views/form.ts';
import type { Visit } from '../visit.ts';

const Token = z.string().max(100);

/** Where the link of the mail leads. Looking at it does not use it up: some inboxes open every link by themselves. */
export const resetPasswordPage = definePage({
  path: '/reset-password',
  access: 'anyone',
  query: z.object({ token: Token.optional() }),

  async show({ visit, query, sent, now }) {
    const token = sent.path === null ? (query.token ?? '') : textOf(sent.values, 'token');
    const texts = visit.texts.signIn;
    if (!(await isResetTokenGood(token, now))) return expiredView(visit);
    return view({
      title: texts.resetTitle,
      layout: 'narrow',
      body: html`<h1>${texts.resetTitle}</h1>
<p class="lead">${texts.resetLead}</p>
${postForm(
  { visit, sent, action: '/reset-password' },
  (fields) => html`${fields.hidden('token', token)}
${fields.password({ name: 'password', label: texts.newPassword, hint: texts.passwordHint, autocomplete: 'new-password' })}
${fields.password({ name: 'repeated', label: texts.repeatPassword, autocomplete: 'new-password' })}
${fields.submit({ value: 'reset', label: texts.resetSubmit })}`,
)}`,
    });
  },
});

export const resetPasswordAction = defineAction({
  path: '/reset-password',
  access: 'anyone',
  form: z.object({ token: Token, password: newPassword, repeated: z.string().default('') }),
  page: resetPasswordPage,

  async run({ visit, form: { token, password, repeated }, now }, { mailer, authUrl }) {
    if (password !== repeated) throw new FormRefusal({ repeated: 'passwordsDiffer' });
    const user = await resetPassword(token, password, now);
    if (!user) throw new FormRefusal({ '': 'linkExpired' });
    mailer.post(passwordChangedMail({ user, language: user.language ?? visit.language, authUrl }));
    return redirect(visit.href('/sign-in', { notice: 'passwordReset' }));
  },
});

function expiredView(visit: Visit) {
  const texts = visit.texts.signIn;
  return view({
    title: texts.expiredTitle,
    layout: 'narrow',
    body: html`<h1>${texts.expiredTitle}</h1>
<p class="lead">${texts.expiredText}</p>
<p><a class="button primary" href="${visit.href('/forgotten-password')}">${texts.askAgain}</a></p>`,
  });
}
