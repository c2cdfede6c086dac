import type { Texts } from './en.ts';
import { addresses } from './nl/addresses.ts';
import { apiKeys } from './nl/api-keys.ts';
import { applications } from './nl/applications.ts';
import { consent } from './nl/consent.ts';
import { errors } from './nl/errors.ts';
import { form } from './nl/form.ts';
import { frame } from './nl/frame.ts';
import { home } from './nl/home.ts';
import { letter } from './nl/letter.ts';
import { letters } from './nl/letters.ts';
import { mails } from './nl/mails.ts';
import { notices } from './nl/notices.ts';
import { overview } from './nl/overview.ts';
import { profile } from './nl/profile.ts';
import { signIn } from './nl/sign-in.ts';
import { statements, wallet } from './nl/wallet.ts';
import { deliveries, jobSecrets, webhooks } from './nl/webhooks.ts';
import { words } from './nl/words.ts';

export const nl = {
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
