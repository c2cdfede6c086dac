import type { Language } from '../../../common/languages.ts';
import type { UserRecord } from '../../../common/organizations/user.model.ts';
import type { Mail } from '../../../common/platform/mailer.ts';
import { textsOf } from '../texts/texts.ts';

type MailContext = { user: UserRecord; language: Language; authUrl: string };

/** The link with which somebody who has forgotten his password sets another one. */
export function passwordResetMail({ user, token, language, authUrl }: MailContext & { token: string }): Mail {
  const { mails } = textsOf(language);
  const link = `${authUrl}/${language}/reset-password?token=${token}`;
  const { subject, text } = mails.passwordReset;
  return { kind: 'password-reset', to: user.email, subject, text: signed(text(link), mails.signature) };
}

/** Tells the owner that his password was changed, in case it was not he who did it. */
export function passwordChangedMail({ user, language, authUrl }: MailContext): Mail {
  const { mails } = textsOf(language);
  const { subject, text } = mails.passwordChanged;
  const link = `${authUrl}/${language}/forgotten-password`;
  return { kind: 'password-changed', to: user.email, subject, text: signed(text(link), mails.signature) };
}

const signed = (text: string, signature: string) => `${text}\n\n${signature}\n`;
