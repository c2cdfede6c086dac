import type { Texts } from '../en.ts';

export const form = {
  problem: 'Bitte prüfen Sie Ihre Eingaben',
  optional: 'optional',
  newer: 'Neueste',
  older: 'Ältere',
  pagination: 'Seiten dieser Liste',
  copy: 'Kopieren',
  copied: 'Kopiert',
  errors: {
    required: 'Füllen Sie dieses Feld aus.',
    tooLong: 'Dieser Text ist zu lang. Kürzen Sie ihn.',
    invalid: 'Dieser Wert ist ungültig. Prüfen Sie ihn und versuchen Sie es erneut.',
    NOT_CANCELLABLE: 'Dieser Brief kann nicht mehr storniert werden: Er ist bereits im Druck.',
    choose: 'Wählen Sie eine Option aus.',
    chooseOne: 'Wählen Sie mindestens eine Option aus.',
    templateText: 'Korrigieren Sie die Zeilen, die über dem Text genannt sind.',
    templateChanged:
      'Jemand anderes hat diese Vorlage inzwischen geändert. Kopieren Sie Ihren Text, öffnen Sie die Vorlage erneut und wiederholen Sie die Änderung.',
    tooManyLines: 'Das sind zu viele Zeilen.',
    unprintable:
      'Einige Zeichen können nicht gedruckt werden. Verwenden Sie lateinische, griechische oder kyrillische Buchstaben.',
    logoInvalid: 'Wählen Sie ein PNG- oder JPEG-Bild mit höchstens 300 kB und 4.000 Pixeln pro Seite.',
    belgianZip: 'Geben Sie eine belgische Postleitzahl ein: vier Ziffern von 1000 bis 9999.',
    wrongSignIn: 'E-Mail-Adresse oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
    wrongPassword: 'Das ist nicht Ihr aktuelles Passwort.',
    passwordTooShort: 'Verwenden Sie mindestens 12 Zeichen.',
    passwordTooLong: 'Verwenden Sie höchstens 200 Zeichen.',
    passwordCommon:
      'Dieses Passwort probieren Angreifer zuerst. Wählen Sie einige Wörter, die nur Sie so kombinieren würden.',
    passwordOwn:
      'Dieses Passwort ähnelt Ihrer E-Mail-Adresse oder dem Namen Ihrer Organisation zu sehr. Wählen Sie ein anderes.',
    passwordsDiffer: 'Die beiden Passwörter stimmen nicht überein.',
    throttled: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es dann erneut.',
    amount: 'Geben Sie einen Betrag in Euro ein, zum Beispiel 25 oder 25,50.',
    amountOutOfRange: 'Dieser Betrag ist zu klein oder zu groß.',
    numberOutOfRange: 'Diese Zahl ist zu klein oder zu groß.',
    WEBHOOK_DISABLED: 'Der Webhook ist deaktiviert. Aktivieren Sie ihn zuerst.',
    DELIVERY_IN_FLIGHT: 'Diese Zustellung wird gerade gesendet. Sehen Sie in einigen Sekunden wieder nach.',
    LIMIT_REACHED:
      'Ihre Organisation hat ihr Limit erreicht. Entfernen Sie, was Sie nicht mehr brauchen, oder wählen Sie eine kleinere Menge.',
    tooManyKeys:
      'Sie haben in diesem Modus 50 Schlüssel, das ist die Höchstzahl. Widerrufen Sie einen, den Sie nicht mehr verwenden, und erstellen Sie dann einen neuen.',
    draftChanged:
      'Der Brief wurde inzwischen geändert, oder es fehlt noch etwas. Prüfen Sie ihn und senden Sie ihn dann.',
    PRICE_CHANGED: 'Der Preis hat sich inzwischen geändert. Prüfen Sie den neuen Betrag und senden Sie den Brief dann.',
    balanceShort: 'Ihr Guthaben reicht für diesen Brief nicht aus. Laden Sie es auf und senden Sie den Brief dann.',
    tooManyRecipients: 'Ein Brief hat höchstens 100 Empfänger. Senden Sie den übrigen einen zweiten Brief.',
    addressGone: 'Diese Adresse steht nicht mehr in Ihrem Adressbuch.',
    templateGone: 'Diese Vorlage gibt es in diesem Modus nicht mehr.',
    dateOver: 'Dieser Tag ist vorbei. Wählen Sie einen späteren, oder lassen Sie das Feld leer.',
    dateTooFar: 'Wählen Sie einen Tag innerhalb der nächsten 180 Tage.',
    emptyFile: 'Diese Datei ist leer. Wählen Sie eine andere.',
    fileTooLarge: 'Diese Datei ist zu groß. Wählen Sie eine kleinere.',
    fileType: 'Dieser Dateityp wird nicht angenommen. Siehe Hinweis.',
    bulkChanged: 'Der Stand hat sich inzwischen geändert. Laden Sie die Seite neu und prüfen Sie.',
    bulkPrice: 'Der Preis hat sich inzwischen geändert. Prüfen Sie die neue Summe.',
    documentOrTemplate: 'Wählen Sie ein Dokument oder eine Vorlage, nicht beides.',
    otherMode: 'Diese Vorlage gehört zum anderen Modus. Wählen Sie für beide denselben.',
    linkExpired: 'Dieser Link wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an.',
  },
} satisfies Texts['form'];
