import type * as en from './texts.en.ts';

export { apiKeys } from '#api/web/account/api-keys/texts.nl.ts';

export const consent = {
  title: 'Toegang toestaan',
  heading: (application: string) => `${application} vraagt toegang`,
  lead: (email: string, organization: string) =>
    `U bent aangemeld als ${email}. Als u toegang geeft, kan deze toepassing voor ${organization}:`,
  pays: {
    test: 'Deze toepassing werkt in testmodus. Haar brieven worden met uw testtegoed betaald en er wordt niets gedrukt.',
    live: 'Deze toepassing verstuurt echte brieven, betaald met uw live tegoed.',
  },
  unverified: (host: string) =>
    `Deze toepassing zegt dat ze van ${host} komt. Wij hebben dat niet gecontroleerd. Ga alleen verder als u dit zelf hebt gestart.`,
  describedAt: 'De toepassing heeft haar naam zelf gekozen. Haar beschrijving komt van dit adres:',
  onDevice: 'De toepassing draait op uw apparaat. Een ander programma daar kan zich voor haar uitgeven.',
  leadsTo: (host: string) => `Daarna keert u terug naar ${host}.`,
  revokeHint: 'U kunt de toegang altijd weer intrekken in uw account.',
  allow: 'Toestaan',
  deny: 'Weigeren',
  broken: {
    title: 'Deze toepassing kan geen toegang vragen',
    client_id: 'De link waarmee u hier kwam, noemt een toepassing die wij niet kennen.',
    redirect_uri: 'De link waarmee u hier kwam, leidt terug naar een adres dat de toepassing niet heeft geregistreerd.',
    unreachable: 'De beschrijving van de toepassing kon niet worden opgehaald. Probeer het over een minuut opnieuw.',
    advice: 'U hebt niets toegestaan. Ga terug en neem contact op met de ontwikkelaar van de toepassing.',
    returnTo: (host: string) => `Terug naar ${host}`,
  },
} satisfies typeof en.consent;
