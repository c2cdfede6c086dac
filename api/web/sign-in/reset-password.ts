import { html } from 'hono/html';
import { z } from 'zod';
import { textOf } from '#api/web/visit/sent-form.ts';
import { isResetTokenValid, resetPassword } from '#common/sessions/reset-password.ts';
import { postForm } from '../design/form.ts';
import { redirect, view } from '../framework/answer.ts';
import { newPassword } from '../framework/forms/form-fields.ts';
import { FormRefusal } from '../framework/forms/form-refusal.ts';
import { passwordChangedMail } from '../mails/password-mails.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const Token = z.string().max(100);

/** The target of the link in the mail. Opening it does not spend the token, because some mail systems open all links. */
export const resetPasswordPage = definePage({
  path: '/reset-password',
  query: z.object({ token: Token.optional() }),

  async show({ visit, query, sent, now }) {
    const token = sent.path === null ? (query.token ?? '') : textOf(sent.values, 'token');
    const { signIn: texts, form } = visit.texts;
    if (!(await isResetTokenValid(token, now))) return expiredView(visit);
    return view({
      title: texts.resetTitle,
      layout: 'narrow',
      body: html`<h1>${texts.resetTitle}</h1>
<p class="lead">${texts.resetLead}</p>
${postForm(
  { visit, sent, action: '/reset-password' },
  (fields) => html`${fields.hidden('token', token)}
${fields.password({ name: 'password', label: form.newPassword, hint: form.passwordHint, autocomplete: 'new-password' })}
${fields.password({ name: 'repeated', label: form.repeatPassword, autocomplete: 'new-password' })}
${fields.submit({ value: 'reset', label: texts.resetSubmit })}`,
)}`,
    });
  },
});

export const resetPasswordAction = defineAction({
  path: '/reset-password',
  form: z.object({ token: Token, password: newPassword, repeated: z.string().default('') }),
  page: resetPasswordPage,

  async run({ visit, form: { token, password, repeated }, now }, { mailer, backgroundTasks, authUrl }) {
    if (password !== repeated) throw new FormRefusal({ repeated: 'passwordsDiffer' });
    const user = await resetPassword({ token, password, address: visit.address }, now);
    if (!user) throw new FormRefusal({ '': 'linkExpired' });
    const mail = passwordChangedMail({ user, language: user.language ?? visit.language, authUrl });
    backgroundTasks.run(mail.kind, () => mailer.send(mail));
    // Access to the mailbox proves ownership, so failed sign-ins elsewhere no longer block this browser.
    return redirect(visit.href('/sign-in', { notice: 'passwordReset' }), { remember: user.email });
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
