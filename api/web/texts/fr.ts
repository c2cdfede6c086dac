import { addresses } from '../account/addresses/texts.fr.ts';
import { apiKeys } from '../account/api-keys/texts.fr.ts';
import { applications } from '../account/applications/texts.fr.ts';
import { letter } from '../account/letters/letter.texts.fr.ts';
import { letters } from '../account/letters/texts.fr.ts';
import { overview } from '../account/overview/texts.fr.ts';
import { profile } from '../account/profile/texts.fr.ts';
import { statements, wallet } from '../account/wallet/texts.fr.ts';
import { deliveries, jobSecrets, webhooks } from '../account/webhooks/texts.fr.ts';
import { consent } from '../consent/texts.fr.ts';
import { home } from '../home/texts.fr.ts';
import { mails } from '../mails/texts.fr.ts';
import { signIn } from '../sign-in/texts.fr.ts';
import type { Texts } from './en.ts';
import { errors } from './fr/errors.ts';
import { form } from './fr/form.ts';
import { frame } from './fr/frame.ts';
import { notices } from './fr/notices.ts';
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
