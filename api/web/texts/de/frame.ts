import type { Texts } from '../en.ts';

export const frame = {
  skip: 'Zum Inhalt',
  home: 'Bluejay, Startseite',
  menu: 'Menü',
  navigation: 'Konto',
  administration: 'Verwaltung',
  language: 'Sprache',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signedInAs: 'Angemeldet als',
  footer: 'Briefpost aus Ihren eigenen Systemen',
  documentation: 'API-Dokumentation',
  pages: {
    overview: 'Übersicht',
    apiKeys: 'API-Schlüssel',
    webhooks: 'Webhooks',
    jobWebhookSecrets: 'Geheimnisse der Brief-Webhooks',
    wallet: 'Guthaben',
    applications: 'Anwendungen',
    profile: 'Profil',
    queues: 'Warteschlangen',
  },
} satisfies Texts['frame'];
