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
    apiKeys: 'API-sleutels',
    webhooks: 'Webhooks',
    jobWebhookSecrets: 'Geheimen van briefwebhooks',
    wallet: 'Portemonnee',
    applications: 'Toepassingen',
    profile: 'Profiel',
    queues: 'Wachtrijen',
  },
} satisfies Texts['frame'];
