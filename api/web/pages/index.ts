import type { AnyAction, AnyPage } from '../page.ts';
import { apiKeysPage, createKeyAction, revokeKeyAction } from './account/api-keys.ts';
import { applicationsPage, revokeApplicationAction } from './account/applications.ts';
import { deleteWebhookAction, deleteWebhookPage } from './account/delete-webhook.ts';
import { jobWebhookSecretsPage, revealJobWebhookSecretAction } from './account/job-webhook-secrets.ts';
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
];
