import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { languageNames } from '#api/web/design/layout.ts';
import { facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { choice, newPassword, presentPassword } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import { passwordChangedMail } from '#api/web/mails/password-mails.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import { languages } from '#common/languages.ts';
import { setCoverPageRule } from '#common/organizations/cover-pages.ts';
import { coverPageRules } from '#common/organizations/organization.model.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { setLanguage } from '#common/organizations/users.ts';
import { changePassword } from '#common/sessions/change-password.ts';
import { createSession } from '#common/sessions/sessions.ts';
import { coverPagesPath, coverPagesSection } from './cover-pages-section.ts';
import { defineAction, definePage } from './texts.ts';

/** Attempts at the current password per user, so an unattended session cannot be used to guess it. */
const guessLimit = { limit: 20, burst: 10 };

export const profilePage = definePage({
  path: '/account/profile',

  async show({ visit, sent }) {
    const { profile, form } = visit.texts;
    const { name, coverPages = 'auto' } = await readOrganization(visit.user.organizationId);
    const languageOptions = [
      { value: 'browser', label: profile.browserLanguage },
      ...languages.map((language) => ({ value: language, label: languageNames[language] })),
    ];
    return view({
      title: visit.texts.frame.pages.profile,
      body: html`${pageHead({ title: visit.texts.frame.pages.profile })}
${section(
  profile.account,
  facts([
    [profile.email, visit.user.email],
    [profile.organization, name],
  ]),
)}
${coverPagesSection(visit, sent, coverPages)}
${section(
  profile.language,
  postForm(
    { visit, sent, action: '/account/profile/language' },
    (
      fields,
    ) => html`${fields.select({ name: 'language', label: profile.languageOf, hint: profile.languageLead, options: languageOptions, chosen: [visit.user.language ?? 'browser'] })}
${fields.submit({ value: 'save', label: profile.saveLanguage })}`,
  ),
)}
${section(
  profile.password,
  html`<p>${profile.passwordLead}</p>${postForm(
    { visit, sent, action: '/account/profile/password' },
    (
      fields,
    ) => html`${fields.password({ name: 'currentPassword', label: profile.currentPassword, autocomplete: 'current-password' })}
${fields.password({ name: 'password', label: form.newPassword, hint: form.passwordHint, autocomplete: 'new-password' })}
${fields.password({ name: 'repeated', label: form.repeatPassword, autocomplete: 'new-password' })}
${fields.submit({ value: 'change', label: profile.changePassword })}`,
  )}`,
)}`,
    });
  },
});

export const changeLanguageAction = defineAction({
  path: '/account/profile/language',
  form: z.object({ language: choice(['browser', ...languages]) }),
  page: profilePage,

  async run({ visit, form: { language } }) {
    await setLanguage(visit.user.userId, language === 'browser' ? null : language);
    // Without a language prefix, so the new language applies.
    return redirect('/account/profile?notice=languageSaved');
  },
});

export const setCoverPagesAction = defineAction({
  path: coverPagesPath,
  form: z.object({ coverPages: choice(coverPageRules) }),
  page: profilePage,

  async run({ visit, form: { coverPages }, now }) {
    await setCoverPageRule(visit.user.organizationId, coverPages, { by: actorOf(visit), at: now });
    return redirect(visit.href('/account/profile', { notice: 'coverPagesSaved' }));
  },
});

export const changePasswordAction = defineAction({
  path: '/account/profile/password',
  form: z.object({ currentPassword: presentPassword, password: newPassword, repeated: z.string().default('') }),
  page: profilePage,

  async run({ visit, form, now }, { limiter, mailer, backgroundTasks, authUrl }) {
    const { userId, email } = visit.user;
    if (form.password !== form.repeated) throw new FormRefusal({ repeated: 'passwordsDiffer' });
    const { isAllowed } = await limiter.take({ key: `change-password:${userId}`, ...guessLimit });
    if (!isAllowed) throw new FormRefusal({ '': 'throttled' }, { status: 429 });
    const user = await changePassword(userId, { ...form, address: visit.address }, now);
    if (!user) throw new FormRefusal({ currentPassword: 'wrongPassword' });
    const mail = passwordChangedMail({ user, language: visit.language, authUrl });
    backgroundTasks.run(mail.kind, () => mailer.send(mail));
    const session = { begin: await createSession(user, now), email };
    return redirect(visit.href('/account/profile', { notice: 'passwordChanged' }), session);
  },
});
