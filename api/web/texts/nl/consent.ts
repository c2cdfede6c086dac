import type { Texts } from '../en.ts';

export const consent = {
  title: 'Toegang toestaan',
  heading: (application: string) => `${application} vraagt toegang`,
  lead: (email: string) =>
    `U bent aangemeld als ${email}. Als u het toestaat, mag deze toepassing voor uw organisatie:`,
  pays: {
    test: 'Ze werkt in testmodus: wat ze verstuurt, wordt betaald uit uw testportemonnee, en er wordt niets afgedrukt.',
    live: 'Wat ze verstuurt, zijn echte brieven, betaald uit uw live portemonnee.',
  },
  leadsTo: (host: string) => `Daarna gaat u terug naar ${host}.`,
  takeBack: 'U kunt dit op elk moment intrekken in uw account.',
  allow: 'Toestaan',
  deny: 'Weigeren',
  broken: {
    title: 'Deze toepassing kan geen toegang vragen',
    client_id: 'De link die u hier bracht, noemt geen toepassing die wij kennen.',
    redirect_uri:
      'De link die u hier bracht, zou u terugsturen naar een adres dat de toepassing niet heeft laten registreren.',
    advice: 'Er is niets toegestaan. Ga terug en laat het de makers van de toepassing weten.',
  },
} satisfies Texts['consent'];
