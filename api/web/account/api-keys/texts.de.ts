import type * as en from './texts.en.ts';

export const apiKeys = {
  lead: 'Ihre Systeme senden mit jeder Anfrage einen Schlüssel. Ein Schlüssel gilt für Ihre gesamte Organisation, in einem Modus und im Rahmen seiner Rechte.',
  create: 'Neuer Schlüssel',
  name: 'Name',
  nameHint: 'Wofür Sie den Schlüssel verwenden, zum Beispiel „Rechnungen“ oder „Shop“.',
  modes: {
    test: { label: 'Test', hint: 'Sandbox: Spielgeld, es wird nichts gedruckt' },
    live: { label: 'Live', hint: 'Echte Briefe, bezahlt aus dem Live-Guthaben' },
  },
  scopes: 'Rechte',
  scopesHint: 'Vergeben Sie nur die nötigen Rechte.',
  scopeTexts: {
    read: 'Briefe, Preise und Listen lesen',
    send: 'Briefe versenden und Dateien hochladen',
    webhooks: 'Webhooks anlegen und löschen',
    addresses: 'Adressbuch verwalten',
    wallet: 'Guthabenstand abfragen',
  },
  submit: 'Schlüssel erstellen',
  existing: 'Ihre Schlüssel',
  unnamed: 'Ohne Namen',
  id: 'Schlüssel-ID',
  created: 'Erstellt',
  lastUsed: 'Zuletzt verwendet',
  never: 'Nie',
  revoke: 'Widerrufen',
  revokeOf: (name: string) => `Schlüssel ${name} widerrufen`,
  none: 'Noch keine Schlüssel',
  noneHint:
    'Erstellen Sie oben Ihren ersten Schlüssel. Beginnen Sie mit einem Testschlüssel: Er kann alles und kostet nichts.',
  createdTitle: 'Ihr neuer Schlüssel',
  createdLead:
    'Kopieren Sie den Schlüssel jetzt und bewahren Sie ihn sicher auf. Sie können ihn später nicht mehr anzeigen, denn wir speichern nur einen Hashwert.',
  createdKey: 'API-Schlüssel',
  tryIt: 'Ausprobieren',
  back: 'Ich habe den Schlüssel gespeichert',
  more: 'Mehr in Ihrem Konto',
} satisfies typeof en.apiKeys;
