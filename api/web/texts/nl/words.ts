import type { Texts } from '../en.ts';

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
} satisfies Texts['words'];
