/** What a page says once after something was done; a redirect names it in its query. */
export const notices = {
  changeSaved: 'The change is saved.',
  addressSaved: 'The address is saved.',
  addressDeleted: 'The address is deleted.',
  addressIsDefault: 'It is the default now.',
  keyRevoked: 'The key is revoked: it no longer works.',
  languageSaved: 'The language is saved.',
  passwordChanged: 'Your password is changed. You are signed out on all other devices.',
  passwordReset: 'Your password is set. Sign in with it now.',
  signedOut: 'You are signed out.',
  usedReference: 'Nothing was moved: this reference was used before for the same wallet.',
};
