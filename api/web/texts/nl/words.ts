import type * as en from '../en.ts';

export const words = {
  labels: { mode: 'Modus', status: 'Status', service: 'Dienst', show: 'Tonen', all: 'Alle' },
  modes: { test: 'Test', live: 'Live' },
  /** As in the text of a template. */
  variable: (name: string) => `Variabele ((${name}))`,
  statuses: {
    queued: 'In de wachtrij',
    printed: 'Gedrukt',
    posted: 'Gepost',
    delivered: 'Bezorgd',
    failed: 'Mislukt',
  },
  serviceTypes: { standard: 'Standaard', prior: 'Prior', registered: 'Aangetekend' },
  sides: { legend: 'Enkel- of dubbelzijdig', two: 'Dubbelzijdig', one: 'Enkelzijdig' },
  zones: { NATIONAL: 'België', INTERNATIONAL: 'Buitenland' },
  returnReasons: {
    unknown_address: 'adres onbekend',
    moved: 'verhuisd',
    refused: 'geweigerd',
    unclaimed: 'niet afgehaald',
    insufficient_address: 'adres onvolledig',
    deceased: 'overleden',
    other: 'andere reden',
  },
  createdBy: 'Gemaakt door',
  creators: { key: 'API-sleutel', application: 'Toepassing', user: 'Gebruiker', other: 'Beheerder' },
  balanceHint: { live: 'Voor echte brieven', test: 'Speelgeld om te testen' },
  list: 'Lijst',
  rowOfList: (row: string) => `Rij ${row}`,
  versionOf: (version: string) => `Versie ${version}`,
  findLetters: 'Brieven zoeken',
} satisfies typeof en.words;
