import type { Texts } from '../en.ts';

export const frame = {
  skip: 'Naar de inhoud',
  home: 'Bluejay, startpagina',
  menu: 'Menu',
  navigation: 'Account',
  administration: 'Beheer',
  language: 'Taal',
  signIn: 'Aanmelden',
  signOut: 'Afmelden',
  signedInAs: 'Aangemeld als',
  footer: 'Papieren post vanuit uw eigen systemen',
  documentation: 'API-documentatie',
  pages: {
    overview: 'Overzicht',
    letters: 'Brieven',
    addresses: 'Adressen',
    apiKeys: 'API-sleutels',
    profile: 'Profiel',
    system: 'Systeem',
    organizations: 'Organisaties',
    liveLetters: 'Echte brieven',
    clients: 'Toepassingen',
    tariffs: 'Tarieven',
    audit: 'Auditlogboek',
    queues: 'Wachtrijen',
  },
} satisfies Texts['frame'];
