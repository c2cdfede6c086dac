import * as address from './account/addresses/address.ts';
import * as addresses from './account/addresses/addresses.ts';
import * as deleteAddress from './account/addresses/delete-address.ts';
import * as newAddress from './account/addresses/new-address.ts';
import * as apiKeys from './account/api-keys/api-keys.ts';
import * as applications from './account/applications/applications.ts';
import * as bulk from './account/bulk/bulk.ts';
import * as bulkActions from './account/bulk/bulk-actions.ts';
import * as bulks from './account/bulk/bulks.ts';
import * as cancelBulk from './account/bulk/cancel-bulk.ts';
import * as newBulk from './account/bulk/new-bulk.ts';
import * as bulkLetters from './account/bulk/rows/list-letters.ts';
import * as bulkProofs from './account/bulk/rows/list-proofs.ts';
import * as bulkRow from './account/bulk/rows/row.ts';
import * as bulkRowFiles from './account/bulk/rows/row-files.ts';
import * as cancelLetter from './account/letter/cancel-letter.ts';
import * as letter from './account/letter/letter.ts';
import * as letterPages from './account/letter/letter-pages.ts';
import * as letters from './account/letters/letters.ts';
import * as overview from './account/overview/overview.ts';
import * as profile from './account/profile/profile.ts';
import * as reports from './account/reports/reports.ts';
import * as draftActions from './account/send/draft-actions.ts';
import * as fileActions from './account/send/file-actions.ts';
import * as recipientActions from './account/send/recipient-actions.ts';
import * as send from './account/send/send.ts';
import * as sendPreview from './account/send/send-preview.ts';
import * as sendTemplate from './account/send/template/template-actions.ts';
import * as deleteTemplate from './account/templates/delete-template.ts';
import * as letterhead from './account/templates/letterhead.ts';
import * as newTemplate from './account/templates/new-template.ts';
import * as template from './account/templates/template.ts';
import * as templatePreview from './account/templates/template-preview.ts';
import * as templates from './account/templates/templates.ts';
import * as statement from './account/wallet/statement.ts';
import * as statements from './account/wallet/statements.ts';
import * as wallet from './account/wallet/wallet.ts';
import * as deleteWebhook from './account/webhooks/delete-webhook.ts';
import * as jobWebhookSecrets from './account/webhooks/job-webhook-secrets.ts';
import * as webhook from './account/webhooks/webhook.ts';
import * as webhookActions from './account/webhooks/webhook-actions.ts';
import * as webhooks from './account/webhooks/webhooks.ts';
import * as adminAudit from './admin/audit.ts';
import * as adminClients from './admin/clients.ts';
import * as adminLetter from './admin/letters/letter.ts';
import * as adminLetters from './admin/letters/letters.ts';
import * as adminOrganization from './admin/organizations/organization.ts';
import * as adminOrganizationActions from './admin/organizations/organization-actions.ts';
import * as adminOrganizations from './admin/organizations/organizations.ts';
import * as adminOverview from './admin/overview.ts';
import * as pressBatch from './admin/press/batch.ts';
import * as pressBatchPapers from './admin/press/batch-papers.ts';
import * as pressBatchSteps from './admin/press/batch-steps.ts';
import * as pressItem from './admin/press/item.ts';
import * as pressItemActions from './admin/press/item-actions.ts';
import * as press from './admin/press/press.ts';
import * as pressReceipts from './admin/press/receipts.ts';
import * as pressScan from './admin/press/scan.ts';
import * as adminTariffs from './admin/tariffs.ts';
import * as authorize from './consent/authorize.ts';
import type { AnyAction, AnyPage } from './framework/page.ts';
import * as home from './home/home.ts';
import * as forgottenPassword from './sign-in/forgotten-password.ts';
import * as resetPassword from './sign-in/reset-password.ts';
import * as signIn from './sign-in/sign-in.ts';

/** The modules that export the pages and actions. If two paths match a request, the module listed first wins. */
const modules: readonly object[] = [
  home,
  signIn,
  forgottenPassword,
  resetPassword,
  authorize,
  overview,
  send,
  sendPreview,
  fileActions,
  sendTemplate,
  recipientActions,
  draftActions,
  letters,
  letter,
  letterPages,
  cancelLetter,
  templates,
  newTemplate,
  templatePreview,
  letterhead,
  template,
  deleteTemplate,
  bulks,
  // Before bulk, whose path would otherwise match "new" as an ID.
  newBulk,
  bulk,
  bulkActions,
  bulkLetters,
  bulkProofs,
  bulkRow,
  bulkRowFiles,
  cancelBulk,
  addresses,
  newAddress,
  address,
  deleteAddress,
  apiKeys,
  webhooks,
  webhook,
  webhookActions,
  deleteWebhook,
  jobWebhookSecrets,
  wallet,
  statements,
  statement,
  reports,
  applications,
  profile,
  adminOverview,
  adminOrganizations,
  adminOrganization,
  adminOrganizationActions,
  adminLetters,
  adminLetter,
  press,
  pressScan,
  pressReceipts,
  pressItem,
  pressItemActions,
  pressBatch,
  pressBatchPapers,
  pressBatchSteps,
  adminClients,
  adminTariffs,
  adminAudit,
];

/** All pages and actions of the web host. Bull Board is mounted separately. */
export const pages = modules.flatMap((module) => Object.values(module)).filter(isDeclared);

function isDeclared(exported: unknown): exported is AnyPage | AnyAction {
  return typeof exported === 'object' && exported !== null && 'method' in exported;
}
