import type { Texts } from '../en.ts';

export const form = {
  problem: 'Etwas stimmt noch nicht',
  optional: 'freiwillig',
  showMore: 'Mehr anzeigen',
  newer: 'Neueste',
  older: 'Ältere',
  pagination: 'Seiten dieser Liste',
  copy: 'Kopieren',
  copied: 'Kopiert',
  errors: {
    required: 'Füllen Sie dieses Feld aus.',
    tooLong: 'Das ist zu lang.',
    invalid: 'So lässt sich das nicht verwenden. Bitte prüfen Sie es.',
    choose: 'Wählen Sie eine der Möglichkeiten.',
    chooseOne: 'Wählen Sie mindestens eine Möglichkeit.',
    belgianZip: 'Eine belgische Postleitzahl hat vier Ziffern, 1000 bis 9999.',
    wrongSignIn:
      'E-Mail-Adresse und Passwort gehören nicht zusammen. Prüfen Sie beide und versuchen Sie es noch einmal.',
    wrongPassword: 'Das ist nicht Ihr jetziges Passwort.',
    passwordTooShort: 'Verwenden Sie mindestens 12 Zeichen.',
    passwordTooLong: 'Verwenden Sie höchstens 200 Zeichen.',
    passwordsDiffer: 'Die beiden Passwörter sind nicht gleich.',
    throttled: 'Das waren zu viele Versuche. Warten Sie einen Augenblick und versuchen Sie es dann noch einmal.',
    amount: 'Geben Sie einen Betrag in Euro an, zum Beispiel 25 oder 25,50.',
    amountOutOfRange: 'Dieser Betrag ist zu klein oder zu groß.',
    numberOutOfRange: 'Diese Zahl ist zu klein oder zu groß.',
    WEBHOOK_DISABLED: 'Der Webhook ist abgeschaltet. Schalten Sie ihn zuerst ein.',
    DELIVERY_IN_FLIGHT: 'Diese Zustellung wird gerade gesendet. Sehen Sie in einigen Sekunden wieder nach.',
    LIMIT_REACHED:
      'Das geht über das hinaus, was eine Organisation haben darf. Schaffen Sie zuerst Platz oder nehmen Sie weniger.',
    linkExpired: 'Dieser Link wurde schon benutzt oder ist abgelaufen. Fordern Sie einen neuen an.',
  },
} satisfies Texts['form'];
