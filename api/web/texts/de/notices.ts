import type { Texts } from '../en.ts';

export const notices = {
  changeSaved: 'Änderung gespeichert.',
  addressSaved: 'Adresse gespeichert.',
  addressDeleted: 'Adresse gelöscht.',
  letterCancelled: 'Brief storniert. Der Betrag wurde Ihrem Guthaben erstattet.',
  addressIsDefault: 'Dies ist jetzt die Standardadresse.',
  applicationRevoked: 'Zugriff widerrufen. Die Anwendung kann nicht mehr für Sie handeln.',
  deliveryRequested: 'Die Zustellung wird erneut gesendet. Das Ergebnis erscheint gleich in der Liste.',
  nothingToRedeliver: 'Es gab nichts erneut zu senden.',
  redeliveryBegun: 'Die fehlgeschlagenen Zustellungen werden erneut gesendet. Die Ergebnisse erscheinen in der Liste.',
  redeliveryHasMore:
    'Die ersten 10.000 Zustellungen werden erneut gesendet. Es gibt weitere: Senden Sie das Formular für den Rest noch einmal ab.',
  testWalletFilled: 'Testguthaben aufgeladen.',
  thresholdSaved: 'Schwellenwert gespeichert.',
  webhookChanged: 'Webhook geändert.',
  webhookDeleted: 'Webhook gelöscht. Er erhält keine Ereignisse mehr.',
  webhookDisabled: 'Webhook deaktiviert. Er erhält keine Ereignisse, bis Sie ihn wieder aktivieren.',
  webhookEnabled: 'Webhook aktiviert.',
  webhookPinged: 'Testereignis gesendet. Das Ergebnis erscheint gleich unter „Zustellungen“.',
  keyRevoked: 'Schlüssel widerrufen. Er funktioniert nicht mehr.',
  coverPagesSaved: 'Einstellung gespeichert. Sie gilt für Briefe, die ab jetzt aufbereitet werden.',
  languageSaved: 'Sprache gespeichert.',
  passwordChanged: 'Passwort geändert. Sie sind auf allen anderen Geräten abgemeldet.',
  passwordReset: 'Passwort festgelegt. Melden Sie sich mit Ihrem neuen Passwort an.',
  signedOut: 'Sie sind abgemeldet.',
  usedReference: 'Es wurde nichts gebucht: Diese Referenz wurde für dieses Guthaben bereits verwendet.',
} satisfies Texts['notices'];
