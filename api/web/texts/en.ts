import { addresses } from './en/addresses.ts';
import { apiKeys } from './en/api-keys.ts';
import { applications } from './en/applications.ts';
import { consent } from './en/consent.ts';
import { errors } from './en/errors.ts';
import { form } from './en/form.ts';
import { frame } from './en/frame.ts';
import { home } from './en/home.ts';
import { letter } from './en/letter.ts';
import { letters } from './en/letters.ts';
import { mails } from './en/mails.ts';
import { notices } from './en/notices.ts';
import { overview } from './en/overview.ts';
import { profile } from './en/profile.ts';
import { signIn } from './en/sign-in.ts';
import { statements, wallet } from './en/wallet.ts';
import { deliveries, jobSecrets, webhooks } from './en/webhooks.ts';
import { words } from './en/words.ts';

export const en = {
  addresses,
  apiKeys,
  consent,
  applications,
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
};

/** Everything that pages and mails say. English is the pattern: the compiler finds what another language lacks. */
export type Texts = typeof en;
