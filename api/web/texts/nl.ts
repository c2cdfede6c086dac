import { addresses } from '../account/addresses/texts.nl.ts';
import { apiKeys } from '../account/api-keys/texts.nl.ts';
import { applications } from '../account/applications/texts.nl.ts';
import { letter } from '../account/letters/letter.texts.nl.ts';
import { letters } from '../account/letters/texts.nl.ts';
import { overview } from '../account/overview/texts.nl.ts';
import { profile } from '../account/profile/texts.nl.ts';
import { statements, wallet } from '../account/wallet/texts.nl.ts';
import { deliveries, jobSecrets, webhooks } from '../account/webhooks/texts.nl.ts';
import { consent } from '../consent/texts.nl.ts';
import { home } from '../home/texts.nl.ts';
import { mails } from '../mails/texts.nl.ts';
import { signIn } from '../sign-in/texts.nl.ts';
import type { Texts } from './en.ts';
import { errors } from './nl/errors.ts';
import { form } from './nl/form.ts';
import { frame } from './nl/frame.ts';
import { notices } from './nl/notices.ts';
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
