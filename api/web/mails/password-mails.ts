import type { Language } from '#common/languages.ts';
import type { UserRecord } from '#common/organizations/user.model.ts';
import type { Mail } from '#common/platform/process/mailer.ts';
import * as de from './texts.de.ts';
import * as en from './texts.en.ts';
import * as fr from './texts.fr.ts';
import * as nl from './texts.nl.ts';

const texts: Record<Language, typeof en> = { en, fr, nl, de };

type MailContext = { user: UserRecord; language: Language; authUrl: string };

/** Returns the mail with the link to set a new password. */
export function passwordResetMail({ user, token, language, authUrl }: MailContext & { token: string }): Mail {
  const { mails } = texts[language];
  const link = `${authUrl}/${language}/reset-password?token=${token}`;
  const { subject, text } = mails.passwordReset;
  return { kind: 'password-reset', to: user.email, subject, text: signed(text(link), mails.signature) };
}

/** Returns the mail that informs users of a changed password, in case they did not change it. */
export function passwordChangedMail({ user, language, authUrl }: MailContext): Mail {
  const { mails } = texts[language];
  const { subject, text } = mails.passwordChanged;
  const link = `${authUrl}/${language}/forgotten-password`;
  return { kind: 'password-changed', to: user.email, subject, text: signed(text(link), mails.signature) };
}

/** Returns the mail that informs users of many failed sign-ins on one day. */
export function failedSignInsMail({ user, attempts, language, authUrl }: MailContext & { attempts: number }): Mail {
  const { mails } = texts[language];
  const { subject, text } = mails.failedSignIns;
  const link = `${authUrl}/${language}/forgotten-password`;
  return { kind: 'failed-sign-ins', to: user.email, subject, text: signed(text({ attempts, link }), mails.signature) };
}

const signed = (text: string, signature: string) => `${text}\n\n${signature}\n`;
