import type { Texts } from '../en.ts';

export const notices = {
  changeSaved: 'Die Änderung ist gespeichert.',
  addressSaved: 'Die Adresse ist gespeichert.',
  addressDeleted: 'Die Adresse ist gelöscht.',
  addressIsDefault: 'Sie ist jetzt die Standardadresse.',
  applicationRevoked: 'Der Zugriff ist widerrufen: Die Anwendung kann nichts mehr für Sie tun.',
  deliveryRequested: 'Die Zustellung wird jetzt noch einmal gesendet. Das Ergebnis erscheint gleich in der Liste.',
  nothingToRedeliver: 'Es gab nichts noch einmal zu senden.',
  redeliveryBegun: 'Was gescheitert war, wird jetzt noch einmal gesendet. Die Ergebnisse erscheinen in der Liste.',
  redeliveryHasMore:
    'Die ersten 10.000 werden jetzt noch einmal gesendet. Es gibt mehr: Fordern Sie den Rest mit einem weiteren Klick an.',
  testWalletFilled: 'Das Testguthaben ist aufgeladen.',
  thresholdSaved: 'Die Schwelle ist gespeichert.',
  webhookChanged: 'Der Webhook ist geändert.',
  webhookDeleted: 'Der Webhook ist gelöscht: Es wird nichts mehr an ihn gesendet.',
  webhookDisabled: 'Der Webhook ist abgeschaltet: Es wird nichts mehr an ihn gesendet.',
  webhookEnabled: 'Der Webhook ist wieder eingeschaltet.',
  webhookPinged: 'Ein Testereignis ist unterwegs. Das Ergebnis erscheint gleich unter den Zustellungen.',
  keyRevoked: 'Der Schlüssel ist widerrufen: Er funktioniert nicht mehr.',
  languageSaved: 'Die Sprache ist gespeichert.',
  passwordChanged: 'Ihr Passwort ist geändert. Auf allen anderen Geräten sind Sie abgemeldet.',
  passwordReset: 'Ihr Passwort ist festgelegt. Melden Sie sich jetzt damit an.',
  signedOut: 'Sie sind abgemeldet.',
  usedReference: 'Es wurde nichts gebucht: Diese Referenz wurde für dasselbe Guthaben schon verwendet.',
} satisfies Texts['notices'];
