import type { Texts } from './en.ts';
import { addresses } from './fr/addresses.ts';
import { apiKeys } from './fr/api-keys.ts';
import { applications } from './fr/applications.ts';
import { consent } from './fr/consent.ts';
import { errors } from './fr/errors.ts';
import { form } from './fr/form.ts';
import { frame } from './fr/frame.ts';
import { home } from './fr/home.ts';
import { letter } from './fr/letter.ts';
import { letters } from './fr/letters.ts';
import { mails } from './fr/mails.ts';
import { notices } from './fr/notices.ts';
import { overview } from './fr/overview.ts';
import { profile } from './fr/profile.ts';
import { signIn } from './fr/sign-in.ts';
import { statements, wallet } from './fr/wallet.ts';
import { deliveries, jobSecrets, webhooks } from './fr/webhooks.ts';
import { words } from './fr/words.ts';

export const fr = {
  addresses,
  apiKeys,
  applications,
  consent,
  deliveries,
  errors,
  form,
  frame,
  home,
  letter,
  letters,
  jobSecrets,
  mails,
  notices,
  overview,
  profile,
  signIn,
  statements,
  wallet,
  webhooks,
  words,
} satisfies Texts;
