import type { Texts } from '../en.ts';

export const words = {
  modes: { test: 'Test', live: 'Réel' },
  statuses: {
    queued: 'En attente',
    printed: 'Imprimée',
    posted: 'Déposée',
    delivered: 'Distribuée',
    failed: 'Échouée',
  },
  serviceTypes: { standard: 'Standard', prior: 'Prioritaire', registered: 'Recommandé' },
  zones: { NATIONAL: 'Belgique', INTERNATIONAL: 'Étranger' },
} satisfies Texts['words'];
