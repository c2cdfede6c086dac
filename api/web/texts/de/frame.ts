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
    letters: 'Briefe',
    addresses: 'Adressen',
    apiKeys: 'API-Schlüssel',
    profile: 'Profil',
    system: 'System',
    organizations: 'Organisationen',
    liveLetters: 'Echte Briefe',
    clients: 'Anwendungen',
    tariffs: 'Tarife',
    audit: 'Audit-Protokoll',
    queues: 'Warteschlangen',
  },
} satisfies Texts['frame'];
