import type * as en from '../en.ts';

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
  returnReasons: {
    unknown_address: 'adresse inconnue',
    moved: 'a déménagé',
    refused: 'refusée',
    unclaimed: 'non réclamée',
    insufficient_address: 'adresse incomplète',
    deceased: 'décédé',
    other: 'autre motif',
  },
  createdBy: 'Créé par',
  creators: { key: 'Clé API', application: 'Application', user: 'Utilisateur', other: 'Opérateur' },
  balanceHint: { live: 'Pour payer de vraies lettres', test: 'Argent fictif pour vos tests' },
  list: 'Liste',
  rowOfList: (row: string) => `Ligne ${row}`,
  versionOf: (version: string) => `Version ${version}`,
  findLetters: 'Rechercher des lettres',
} satisfies typeof en.words;
