import type { AnyAction, AnyPage } from '../page.ts';
import { addressPage, changeAddressAction, makeDefaultAction } from './account/address.ts';
import { addressesPage } from './account/addresses.ts';
import { apiKeysPage, createKeyAction, revokeKeyAction } from './account/api-keys.ts';
import { applicationsPage, revokeApplicationAction } from './account/applications.ts';
import { deleteAddressAction, deleteAddressPage } from './account/delete-address.ts';
import { deleteWebhookAction, deleteWebhookPage } from './account/delete-webhook.ts';
import { jobWebhookSecretsPage, revealJobWebhookSecretAction } from './account/job-webhook-secrets.ts';
import { letterPage } from './account/letter.ts';
import { letterPicturePage } from './account/letter-pages.ts';
import { lettersPage } from './account/letters.ts';
import { createAddressAction, newAddressPage } from './account/new-address.ts';
import { overviewPage } from './account/overview.ts';
import { changeLanguageAction, changePasswordAction, profilePage } from './account/profile.ts';
import { statementPage } from './account/statement.ts';
import { statementsPage } from './account/statements.ts';
import { setLowBalanceAction, topUpTestWalletAction, walletPage } from './account/wallet.ts';
import { webhookPage } from './account/webhook.ts';
import {
  changeWebhookAction,
  pingWebhookAction,
  redeliverAction,
  redeliverFailedAction,
  rotateSecretAction,
  setWebhookStatusAction,
} from './account/webhook-actions.ts';
import { createWebhookAction, webhooksPage } from './account/webhooks.ts';
import { auditPage } from './admin/audit.ts';
import { clientsPage, createClientAction, disableClientAction, rotateClientSecretAction } from './admin/clients.ts';
import { liveLetterPage, setLiveStatusAction } from './admin/letter.ts';
import { liveLettersPage } from './admin/letters.ts';
import { organizationPage } from './admin/organization.ts';
import { adjustAction, createUserAction, setThresholdAction, topUpAction } from './admin/organization-actions.ts';
import { createOrganizationAction, organizationsPage } from './admin/organizations.ts';
import { adminOverviewPage } from './admin/overview.ts';
import { importTariffsAction, removeTariffAction, tariffsPage } from './admin/tariffs.ts';
import { answerConsentAction, authorizePage } from './authorize.ts';
import { forgottenPasswordPage, sendLinkAction } from './forgotten-password.ts';
import { homePage } from './home.ts';
import { resetPasswordAction, resetPasswordPage } from './reset-password.ts';
import { signInAction, signInPage } from './sign-in.ts';
import { signOutAction } from './sign-out.ts';

/** Every page of the web host and what its forms do, but for the board of queues, which is a program of its own. */
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
