import { addressPage, changeAddressAction, makeDefaultAction } from './account/addresses/address.ts';
import { addressesPage } from './account/addresses/addresses.ts';
import { deleteAddressAction, deleteAddressPage } from './account/addresses/delete-address.ts';
import { createAddressAction, newAddressPage } from './account/addresses/new-address.ts';
import { apiKeysPage, createKeyAction, revokeKeyAction } from './account/api-keys/api-keys.ts';
import { applicationsPage, revokeApplicationAction } from './account/applications/applications.ts';
import { letterPage } from './account/letters/letter.ts';
import { letterPicturePage } from './account/letters/letter-pages.ts';
import { lettersPage } from './account/letters/letters.ts';
import { overviewPage } from './account/overview/overview.ts';
import { changeLanguageAction, changePasswordAction, profilePage } from './account/profile/profile.ts';
import { statementPage } from './account/wallet/statement.ts';
import { statementsPage } from './account/wallet/statements.ts';
import { setLowBalanceAction, topUpTestWalletAction, walletPage } from './account/wallet/wallet.ts';
import { deleteWebhookAction, deleteWebhookPage } from './account/webhooks/delete-webhook.ts';
import {
  jobWebhookSecretsPage,
  revealJobWebhookSecretAction,
  rotateJobWebhookSecretAction,
} from './account/webhooks/job-webhook-secrets.ts';
import { webhookPage } from './account/webhooks/webhook.ts';
import {
  changeWebhookAction,
  pingWebhookAction,
  redeliverAction,
  redeliverFailedAction,
  rotateSecretAction,
  setWebhookStatusAction,
} from './account/webhooks/webhook-actions.ts';
import { createWebhookAction, webhooksPage } from './account/webhooks/webhooks.ts';
import { auditPage } from './admin/audit.ts';
import { clientsPage, createClientAction, disableClientAction, rotateClientSecretAction } from './admin/clients.ts';
import { liveLetterPage, setLiveStatusAction } from './admin/letters/letter.ts';
import { liveLettersPage } from './admin/letters/letters.ts';
import { organizationPage } from './admin/organizations/organization.ts';
import {
  adjustAction,
  createUserAction,
  setThresholdAction,
  topUpAction,
} from './admin/organizations/organization-actions.ts';
import { createOrganizationAction, organizationsPage } from './admin/organizations/organizations.ts';
import { adminOverviewPage } from './admin/overview.ts';
import { importTariffsAction, removeTariffAction, tariffsPage } from './admin/tariffs.ts';
import { answerConsentAction, authorizePage } from './consent/authorize.ts';
import type { AnyAction, AnyPage } from './framework/page.ts';
import { homePage } from './home/home.ts';
import { forgottenPasswordPage, sendLinkAction } from './sign-in/forgotten-password.ts';
import { resetPasswordAction, resetPasswordPage } from './sign-in/reset-password.ts';
import { signInAction, signInPage, signOutAction } from './sign-in/sign-in.ts';

/** All pages and actions of the web host. Bull Board is mounted separately. */
export const pages: readonly (AnyPage | AnyAction)[] = [
  homePage,
  signInPage,
  signInAction,
  signOutAction,
  forgottenPasswordPage,
  sendLinkAction,
  resetPasswordPage,
  resetPasswordAction,
  authorizePage,
  answerConsentAction,
  overviewPage,
  lettersPage,
  letterPage,
  letterPicturePage,
  addressesPage,
  newAddressPage,
  createAddressAction,
  addressPage,
  changeAddressAction,
  makeDefaultAction,
  deleteAddressPage,
  deleteAddressAction,
  apiKeysPage,
  createKeyAction,
  revokeKeyAction,
  webhooksPage,
  createWebhookAction,
  webhookPage,
  changeWebhookAction,
  setWebhookStatusAction,
  rotateSecretAction,
  pingWebhookAction,
  redeliverAction,
  redeliverFailedAction,
  deleteWebhookPage,
  deleteWebhookAction,
  jobWebhookSecretsPage,
  revealJobWebhookSecretAction,
  rotateJobWebhookSecretAction,
  walletPage,
  topUpTestWalletAction,
  setLowBalanceAction,
  statementsPage,
  statementPage,
  applicationsPage,
  revokeApplicationAction,
  profilePage,
  changeLanguageAction,
  changePasswordAction,
  adminOverviewPage,
  organizationsPage,
  createOrganizationAction,
  organizationPage,
  createUserAction,
  topUpAction,
  adjustAction,
  setThresholdAction,
  liveLettersPage,
  liveLetterPage,
  setLiveStatusAction,
  clientsPage,
  createClientAction,
  rotateClientSecretAction,
  disableClientAction,
  tariffsPage,
  importTariffsAction,
  removeTariffAction,
  auditPage,
];
