import { addresses } from './de/addresses.ts';
import { apiKeys } from './de/api-keys.ts';
import { applications } from './de/applications.ts';
import { consent } from './de/consent.ts';
import { errors } from './de/errors.ts';
import { form } from './de/form.ts';
import { frame } from './de/frame.ts';
import { home } from './de/home.ts';
import { letter } from './de/letter.ts';
import { letters } from './de/letters.ts';
import { mails } from './de/mails.ts';
import { notices } from './de/notices.ts';
import { overview } from './de/overview.ts';
import { profile } from './de/profile.ts';
import { signIn } from './de/sign-in.ts';
import { statements, wallet } from './de/wallet.ts';
import { deliveries, jobSecrets, webhooks } from './de/webhooks.ts';
import { words } from './de/words.ts';
import type { Texts } from './en.ts';

export const de = {
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
