import type { AnyRoute } from '../route.ts';
import { changeAddressRoute } from './change-address.ts';
import { changeWebhookRoute } from './change-webhook.ts';
import { createAddressRoute } from './create-address.ts';
import { createMail } from './create-mail.ts';
import { createQuote } from './create-quote.ts';
import { createUploadAddress } from './create-upload.ts';
import { createWebhookRoute } from './create-webhook.ts';
import { deleteAddressRoute } from './delete-address.ts';
import { deleteWebhookRoute } from './delete-webhook.ts';
import { getAddressRoute } from './get-address.ts';
import { getEvent } from './get-event.ts';
import { getMail } from './get-mail.ts';
import { getStatement } from './get-statement.ts';
import { getWallet } from './get-wallet.ts';
import { getWebhook } from './get-webhook.ts';
import { listAddressesRoute } from './list-addresses.ts';
import { listDeliveriesRoute } from './list-deliveries.ts';
import { listEventsRoute } from './list-events.ts';
import { listMails } from './list-mails.ts';
import { listTransactionsRoute } from './list-transactions.ts';
import { listWebhooksRoute } from './list-webhooks.ts';
import { pingWebhookRoute } from './ping-webhook.ts';
import { redeliverDelivery } from './redeliver-delivery.ts';
import { redeliverFailedRoute } from './redeliver-failed.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import { simulateMail } from './simulate-mail.ts';
import { streamEvents } from './stream-events.ts';
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
  getWebhook,
  changeWebhookRoute,
  deleteWebhookRoute,
  rotateSecretRoute,
  pingWebhookRoute,
  listDeliveriesRoute,
  redeliverDelivery,
  redeliverFailedRoute,
  listEventsRoute,
  // Before the events by id, of which "stream" would else be one that nobody has.
  streamEvents,
  getEvent,
  getWallet,
  topUpTestWalletRoute,
  listTransactionsRoute,
  getStatement,
];
