import type * as en from './texts.en.ts';

export const applications = {
  lead: 'Ces applications peuvent agir pour votre organisation. Les lettres qu’elles envoient sont payées avec votre portefeuille.',
  existing: 'Applications autorisées',
  none: 'Aucune application autorisée',
  noneHint:
    'Une application qui a besoin d’un accès vous dirige vers une page où vous pouvez l’autoriser ou le refuser.',
  name: 'Application',
  scopes: 'Droits',
  since: 'Depuis le',
  lastUsed: 'Dernière utilisation',
  revoke: 'Révoquer',
  revokeOf: (name: string) => `Révoquer l’accès de ${name}`,
  atOnce:
    'La révocation met fin immédiatement à tous les accès de l’application, même à ceux que vos collègues ont autorisés.',
} satisfies typeof en.applications;
