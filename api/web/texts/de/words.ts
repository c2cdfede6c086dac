import type { Texts } from '../en.ts';

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
} satisfies Texts['words'];
