import type { Texts } from '../en.ts';

export const frame = {
  skip: 'Aller au contenu',
  home: "Bluejay, page d'accueil",
  menu: 'Menu',
  navigation: 'Compte',
  administration: 'Administration',
  language: 'Langue',
  signIn: 'Se connecter',
  signOut: 'Se déconnecter',
  signedInAs: 'Connecté en tant que',
  footer: 'Le courrier papier depuis vos propres systèmes',
  documentation: "Documentation de l'API",
  pages: {
    overview: "Vue d'ensemble",
    apiKeys: 'Clés API',
    webhooks: 'Webhooks',
    jobWebhookSecrets: 'Secrets des webhooks par lettre',
    wallet: 'Portefeuille',
    applications: 'Applications',
    profile: 'Profil',
    queues: "Files d'attente",
  },
} satisfies Texts['frame'];
