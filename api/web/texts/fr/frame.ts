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
    letters: 'Lettres',
    addresses: 'Adresses',
    apiKeys: 'Clés API',
    profile: 'Profil',
    system: 'Système',
    organizations: 'Organisations',
    liveLetters: 'Lettres réelles',
    clients: 'Applications',
    tariffs: 'Tarifs',
    audit: "Journal d'audit",
    queues: "Files d'attente",
  },
} satisfies Texts['frame'];
