import type * as en from './texts.en.ts';

export const apiKeys = {
  lead: 'Vos systèmes joignent une clé à chaque requête. Une clé agit pour toute votre organisation, dans un seul mode et dans la limite de ses droits.',
  create: 'Nouvelle clé',
  name: 'Nom',
  nameHint: 'À quoi sert la clé, par exemple « Factures » ou « Boutique ».',
  modes: {
    test: { label: 'Test', hint: 'Bac à sable : argent fictif, rien n’est imprimé' },
    live: { label: 'Réel', hint: 'De vraies lettres, payées avec le portefeuille réel' },
  },
  scopes: 'Droits',
  scopesHint: 'N’accordez que les droits nécessaires.',
  scopeTexts: {
    read: 'Consulter les lettres, les prix et les listes',
    send: 'Envoyer des lettres et charger des fichiers',
    webhooks: 'Créer et supprimer des webhooks',
    addresses: 'Gérer le carnet d’adresses',
    wallet: 'Consulter le solde du portefeuille',
  },
  submit: 'Créer la clé',
  existing: 'Vos clés',
  unnamed: 'Sans nom',
  id: 'Identifiant de la clé',
  created: 'Créée le',
  lastUsed: 'Dernière utilisation',
  never: 'Jamais',
  revoke: 'Révoquer',
  revokeOf: (name: string) => `Révoquer la clé ${name}`,
  none: 'Aucune clé pour le moment',
  noneHint: 'Créez votre première clé ci-dessus. Commencez par une clé de test : elle permet tout et ne coûte rien.',
  createdTitle: 'Votre nouvelle clé',
  createdLead:
    'Copiez la clé maintenant et conservez-la en lieu sûr. Vous ne pourrez plus l’afficher : nous n’en gardons qu’une empreinte.',
  createdKey: 'Clé API',
  tryIt: 'Essayez-la',
  back: 'J’ai enregistré la clé',
  more: 'Autres pages de votre compte',
} satisfies typeof en.apiKeys;
