import type { Texts } from '../en.ts';

export const applications = {
  title: 'Applications',
  lead: "Les applications qui peuvent agir pour votre organisation. Ce qu'elles envoient est payé par votre portefeuille.",
  existing: 'Applications autorisées',
  none: "Aucune application n'a accès",
  noneHint: "Une application qui demande l'accès vous amène sur une page d'ici, où vous acceptez ou refusez.",
  name: 'Application',
  mode: 'Mode',
  scopes: 'Droits',
  since: 'Depuis le',
  lastUsed: 'Dernière utilisation',
  revoke: 'Révoquer',
  revokeOf: (name: string) => `Révoquer l'accès de ${name}`,
  atOnce:
    "La révocation met fin aussitôt à tous les accès d'une application, quel que soit le collègue qui l'a autorisée.",
} satisfies Texts['applications'];
