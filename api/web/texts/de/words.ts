import type * as en from '../en.ts';

export const words = {
  labels: { mode: 'Modus', status: 'Status', service: 'Versandart', show: 'Anzeigen', all: 'Alle' },
  modes: { test: 'Test', live: 'Live' },
  /** As in the text of a template. */
  variable: (name: string) => `Variable ((${name}))`,
  statuses: {
    queued: 'In der Warteschlange',
    printed: 'Gedruckt',
    posted: 'Aufgegeben',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
  },
  serviceTypes: { standard: 'Standard', prior: 'Prior', registered: 'Einschreiben' },
  sides: { legend: 'Ein- oder beidseitig', two: 'Beidseitig', one: 'Einseitig' },
  zones: { NATIONAL: 'Belgien', INTERNATIONAL: 'Ausland' },
  returnReasons: {
    unknown_address: 'Adresse unbekannt',
    moved: 'verzogen',
    refused: 'Annahme verweigert',
    unclaimed: 'nicht abgeholt',
    insufficient_address: 'Adresse unvollständig',
    deceased: 'verstorben',
    other: 'anderer Grund',
  },
  createdBy: 'Erstellt von',
  creators: { key: 'API-Schlüssel', application: 'Anwendung', user: 'Benutzer', other: 'Betreiber' },
  balanceHint: { live: 'Für echte Briefe', test: 'Spielgeld zum Testen' },
  list: 'Liste',
  rowOfList: (row: string) => `Zeile ${row}`,
  versionOf: (version: string) => `Version ${version}`,
  findLetters: 'Briefe suchen',
} satisfies typeof en.words;
