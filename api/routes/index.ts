import type { AnyRoute } from '../route.ts';
import { changeAddressRoute } from './change-address.ts';
import { createAddressRoute } from './create-address.ts';
import { createMail } from './create-mail.ts';
import { createQuote } from './create-quote.ts';
import { createUploadAddress } from './create-upload.ts';
import { createWebhookRoute } from './create-webhook.ts';
import { deleteAddressRoute } from './delete-address.ts';
import { deleteWebhookRoute } from './delete-webhook.ts';
import { getAddressRoute } from './get-address.ts';
import { getMail } from './get-mail.ts';
import { getStatement } from './get-statement.ts';
import { getWallet } from './get-wallet.ts';
import { listAddressesRoute } from './list-addresses.ts';
import { listMails } from './list-mails.ts';
import { listTransactionsRoute } from './list-transactions.ts';
import { listWebhooksRoute } from './list-webhooks.ts';
import { simulateMail } from './simulate-mail.ts';
import { topUpTestWalletRoute } from './top-up-test-wallet.ts';

/** Every route, in the order of the specification. */
export const routes: readonly AnyRoute[] = [
  createQuote,
  createUploadAddress,
  createMail,
  listMails,
  getMail,
  simulateMail,
  listAddressesRoute,
  createAddressRoute,
  getAddressRoute,
  changeAddressRoute,
  deleteAddressRoute,
  listWebhooksRoute,
  createWebhookRoute,
  deleteWebhookRoute,
  getWallet,
  topUpTestWalletRoute,
  listTransactionsRoute,
  getStatement,
];
