import type { Texts } from './en.ts';
import { addresses } from './fr/addresses.ts';
import { apiKeys } from './fr/api-keys.ts';
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
import { words } from './fr/words.ts';

export const fr = {
  addresses,
  apiKeys,
  consent,
  errors,
  form,
  frame,
  home,
  letter,
  letters,
  mails,
  notices,
  overview,
  profile,
  signIn,
  words,
} satisfies Texts;
