import type { Texts } from '../en.ts';

export const notices = {
  changeSaved: 'Die Änderung ist gespeichert.',
  addressSaved: 'Die Adresse ist gespeichert.',
  addressDeleted: 'Die Adresse ist gelöscht.',
  addressIsDefault: 'Sie ist jetzt die Standardadresse.',
  keyRevoked: 'Der Schlüssel ist widerrufen: Er funktioniert nicht mehr.',
  languageSaved: 'Die Sprache ist gespeichert.',
  passwordChanged: 'Ihr Passwort ist geändert. Auf allen anderen Geräten sind Sie abgemeldet.',
  passwordReset: 'Ihr Passwort ist festgelegt. Melden Sie sich jetzt damit an.',
  signedOut: 'Sie sind abgemeldet.',
  usedReference: 'Es wurde nichts gebucht: Diese Referenz wurde für dasselbe Guthaben schon verwendet.',
} satisfies Texts['notices'];
