import { addresses } from '../account/addresses/texts.de.ts';
import { apiKeys } from '../account/api-keys/texts.de.ts';
import { applications } from '../account/applications/texts.de.ts';
import { letter } from '../account/letters/letter.texts.de.ts';
import { letters } from '../account/letters/texts.de.ts';
import { overview } from '../account/overview/texts.de.ts';
import { profile } from '../account/profile/texts.de.ts';
import { statements, wallet } from '../account/wallet/texts.de.ts';
import { deliveries, jobSecrets, webhooks } from '../account/webhooks/texts.de.ts';
import { consent } from '../consent/texts.de.ts';
import { home } from '../home/texts.de.ts';
import { mails } from '../mails/texts.de.ts';
import { signIn } from '../sign-in/texts.de.ts';
import { errors } from './de/errors.ts';
import { form } from './de/form.ts';
import { frame } from './de/frame.ts';
import { notices } from './de/notices.ts';
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
