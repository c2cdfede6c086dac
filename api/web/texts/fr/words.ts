import type { Texts } from '../en.ts';

export const words = {
  labels: { mode: 'Mode', status: 'Statut', service: 'Service', show: 'Afficher', all: 'Tous' },
  modes: { test: 'Test', live: 'Réel' },
  /** As in the text of a template. */
  variable: (name: string) => `Variable ((${name}))`,
  statuses: {
    queued: 'En attente',
    printed: 'Imprimée',
    posted: 'Postée',
    delivered: 'Distribuée',
    failed: 'Échec',
  },
  serviceTypes: { standard: 'Standard', prior: 'Prioritaire', registered: 'Recommandé' },
  sides: { legend: 'Faces imprimées', two: 'Recto verso', one: 'Recto seul' },
  zones: { NATIONAL: 'Belgique', INTERNATIONAL: 'Étranger' },
} satisfies Texts['words'];
