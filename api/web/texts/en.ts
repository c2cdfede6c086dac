import { addresses } from '../account/addresses/texts.en.ts';
import { apiKeys } from '../account/api-keys/texts.en.ts';
import { applications } from '../account/applications/texts.en.ts';
import { bulkRows } from '../account/bulk/rows/texts.en.ts';
import { bulk } from '../account/bulk/texts.en.ts';
import { findings } from '../account/letter/findings.texts.en.ts';
import { letter } from '../account/letter/letter.texts.en.ts';
import { letters } from '../account/letters/texts.en.ts';
import { overview } from '../account/overview/texts.en.ts';
import { profile } from '../account/profile/texts.en.ts';
import { reports } from '../account/reports/texts.en.ts';
import { send } from '../account/send/texts.en.ts';
import { letterhead, templates } from '../account/templates/texts.en.ts';
import { statements, wallet } from '../account/wallet/texts.en.ts';
import { deliveries, jobSecrets, webhooks } from '../account/webhooks/texts.en.ts';
import { consent } from '../consent/texts.en.ts';
import { home } from '../home/texts.en.ts';
import { mails } from '../mails/texts.en.ts';
import { signIn } from '../sign-in/texts.en.ts';
import { errors } from './en/errors.ts';
import { form } from './en/form.ts';
import { frame } from './en/frame.ts';
import { notices } from './en/notices.ts';
import { words } from './en/words.ts';

export const en = {
  addresses,
  bulk,
  bulkRows,
  apiKeys,
  consent,
  applications,
  deliveries,
  errors,
  findings,
  form,
  frame,
  home,
  letter,
  letters,
  letterhead,
  templates,
  jobSecrets,
  mails,
  notices,
  overview,
  profile,
  reports,
  send,
  signIn,
  statements,
  wallet,
  webhooks,
  words,
};

/** All texts of pages and mails. English defines the type, so the compiler finds missing texts in other languages. */
export type Texts = typeof en;
