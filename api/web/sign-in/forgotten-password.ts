import { html } from 'hono/html';
import { z } from 'zod';
import { MailUncertainError } from '#common/platform/process/mailer.ts';
import { takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createPasswordReset, removePasswordReset } from '#common/sessions/reset-password.ts';
import { postForm } from '../design/form.ts';
import { view } from '../framework/answer.ts';
import { emailField } from '../framework/forms/form-fields.ts';
import { passwordResetMail } from '../mails/password-mails.ts';
import { defineAction, definePage } from './texts.ts';

/** Requests per client address. Accounts have a limit of their own. */
const askLimit = { limit: 20, burst: 10 };

export const forgottenPasswordPage = definePage({
  path: '/forgotten-password',

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
  form: z.object({ email: emailField }),
  page: forgottenPasswordPage,

  async run({ visit, form: { email }, now }, { limiter, mailer, authUrl }) {
    await takeOrRefuse(limiter, { key: `forgotten-password:${visit.address}`, ...askLimit });
    const texts = visit.texts.signIn;
    return view({
      title: texts.sentTitle,
      layout: 'narrow',
      // Look up the account and send the mail after the response, so neither its time nor an error reveals accounts.
      async afterwards() {
        const reset = await createPasswordReset(email, now);
        if (!reset) return;
        try {
          await mailer.send(passwordResetMail({ ...reset, language: reset.user.language ?? visit.language, authUrl }));
        } catch (error) {
          // If the mail may have been sent, its link stays valid and counts towards the limit.
          if (!(error instanceof MailUncertainError)) await removePasswordReset(reset.token);
          throw error;
        }
      },
      body: html`<h1>${texts.sentTitle}</h1>
<p class="lead">${texts.sentText}</p>
<p>${texts.sentHint}</p>
<p class="below"><a href="${visit.href('/sign-in')}">${texts.backToSignIn}</a></p>`,
    });
  },
});
