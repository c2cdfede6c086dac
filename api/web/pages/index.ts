import type { AnyAction, AnyPage } from '../page.ts';
import { addressPage, changeAddressAction, makeDefaultAction } from './account/address.ts';
import { addressesPage } from './account/addresses.ts';
import { apiKeysPage, createKeyAction, revokeKeyAction } from './account/api-keys.ts';
import { deleteAddressAction, deleteAddressPage } from './account/delete-address.ts';
import { letterPage } from './account/letter.ts';
import { letterPicturePage } from './account/letter-pages.ts';
import { lettersPage } from './account/letters.ts';
import { createAddressAction, newAddressPage } from './account/new-address.ts';
import { overviewPage } from './account/overview.ts';
import { changeLanguageAction, changePasswordAction, profilePage } from './account/profile.ts';
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
  profilePage,
  changeLanguageAction,
  changePasswordAction,
];
