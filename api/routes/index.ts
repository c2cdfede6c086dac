import type { AnyRoute } from '../route.ts';
import { changeAddressRoute } from './addresses/change-address.ts';
import { createAddressRoute } from './addresses/create-address.ts';
import { deleteAddressRoute } from './addresses/delete-address.ts';
import { getAddressRoute } from './addresses/get-address.ts';
import { listAddressesRoute } from './addresses/list-addresses.ts';
import { cancelBulkRoute } from './bulk/cancel-bulk.ts';
import { confirmBulkRoute } from './bulk/confirm-bulk.ts';
import { createBulkRoute } from './bulk/create-bulk.ts';
import { createBulkUpload } from './bulk/create-bulk-upload.ts';
import { getBulk } from './bulk/get-bulk.ts';
import { getBulkFaults, getBulkResults } from './bulk/get-bulk-files.ts';
import { listBulkRows } from './bulk/list-bulk-rows.ts';
import { listBulksRoute } from './bulk/list-bulks.ts';
import { mapBulkColumns } from './bulk/map-bulk-columns.ts';
import { pauseBulkRoute, resumeBulkRoute } from './bulk/pause-bulk.ts';
import { previewBulkRow } from './bulk/preview-bulk-row.ts';
import { getCalendar } from './calendar/get-calendar.ts';
import { getEvent } from './events/get-event.ts';
import { listEventsRoute } from './events/list-events.ts';
import { streamEvents } from './events/stream-events.ts';
import { listItems } from './items/list-items.ts';
import { cancelMail } from './lifecycle/cancel-mail.ts';
import { changeMail } from './lifecycle/change-mail.ts';
import { getTimeline } from './lifecycle/get-timeline.ts';
import { redactMail } from './lifecycle/redact-mail.ts';
import { simulateMail } from './lifecycle/simulate-mail.ts';
import { createMail } from './mails/create-mail.ts';
import { createQuote } from './mails/create-quote.ts';
import { createUploadAddress } from './mails/create-upload.ts';
import { getMail } from './mails/get-mail.ts';
import { listMails } from './mails/list-mails.ts';
import { getMe } from './me/get-me.ts';
import { createPreflight } from './preflight/create-preflight.ts';
import { getMailPreflight } from './preflight/get-mail-preflight.ts';
import { getPreflight } from './preflight/get-preflight.ts';
import { getPreview } from './proofs/get-preview.ts';
import { getProof } from './proofs/get-proof.ts';
import { getDeliveryTimesReport } from './reports/get-delivery-times.ts';
import { getFailuresReport } from './reports/get-failures.ts';
import { getLettersReport } from './reports/get-letters.ts';
import { getSpendReport } from './reports/get-spend.ts';
import { advanceClockRoute } from './sandbox/advance-clock.ts';
import { createClockRoute } from './sandbox/create-clock.ts';
import { deleteClockRoute } from './sandbox/delete-clock.ts';
import { getClock } from './sandbox/get-clock.ts';
import { listClocksRoute } from './sandbox/list-clocks.ts';
import { triggerEventRoute } from './sandbox/trigger-event.ts';
import { changeLetterhead } from './templates/change-letterhead.ts';
import { changeTemplateRoute } from './templates/change-template.ts';
import { createTemplateRoute } from './templates/create-template.ts';
import { deleteTemplateRoute } from './templates/delete-template.ts';
import { getLetterhead } from './templates/get-letterhead.ts';
import { getTemplate } from './templates/get-template.ts';
import { listTemplateVersions } from './templates/list-template-versions.ts';
import { listTemplatesRoute } from './templates/list-templates.ts';
import { previewTemplateRoute } from './templates/preview-template.ts';
import { getStatement } from './wallet/get-statement.ts';
import { getWallet } from './wallet/get-wallet.ts';
import { listTransactionsRoute } from './wallet/list-transactions.ts';
import { topUpTestWalletRoute } from './wallet/top-up-test-wallet.ts';
import { changeWebhookRoute } from './webhooks/change-webhook.ts';
import { createWebhookRoute } from './webhooks/create-webhook.ts';
import { deleteWebhookRoute } from './webhooks/delete-webhook.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listDeliveriesRoute } from './webhooks/list-deliveries.ts';
import { listWebhooksRoute } from './webhooks/list-webhooks.ts';
import { pingWebhookRoute } from './webhooks/ping-webhook.ts';
import { redeliverDelivery } from './webhooks/redeliver-delivery.ts';
import { redeliverFailedRoute } from './webhooks/redeliver-failed.ts';
import { rotateSecretRoute } from './webhooks/rotate-secret.ts';

/** All routes, in the order of the specification. */
export const routes: readonly AnyRoute[] = [
  createQuote,
  createUploadAddress,
  createPreflight,
  getPreflight,
  createMail,
  listMails,
  getMail,
  changeMail,
  cancelMail,
  getTimeline,
  getProof,
  getPreview,
  getMailPreflight,
  simulateMail,
  redactMail,
  triggerEventRoute,
  createClockRoute,
  listClocksRoute,
  getClock,
  advanceClockRoute,
  deleteClockRoute,
  createBulkUpload,
  createBulkRoute,
  listBulksRoute,
  getBulk,
  listBulkRows,
  previewBulkRow,
  mapBulkColumns,
  confirmBulkRoute,
  pauseBulkRoute,
  resumeBulkRoute,
  cancelBulkRoute,
  getBulkResults,
  getBulkFaults,
  listItems,
  listTemplatesRoute,
  createTemplateRoute,
  // Before getTemplate, whose path would otherwise match "letterhead" as an ID.
  getLetterhead,
  changeLetterhead,
  getTemplate,
  changeTemplateRoute,
  deleteTemplateRoute,
  listTemplateVersions,
  previewTemplateRoute,
  getCalendar,
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
  // Before getEvent, whose path would otherwise match "stream" as an ID.
  streamEvents,
  getEvent,
  getMe,
  getWallet,
  topUpTestWalletRoute,
  listTransactionsRoute,
  getStatement,
  getLettersReport,
  getSpendReport,
  getFailuresReport,
  getDeliveryTimesReport,
];
