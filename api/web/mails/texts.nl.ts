import type * as en from './texts.en.ts';

export const mails = {
  signature: 'Bluejay',
  passwordReset: {
    subject: 'Stel uw Bluejay-wachtwoord opnieuw in',
    text: (link: string) =>
      `Hallo,\n\nWij hebben een aanvraag ontvangen om het wachtwoord van uw Bluejay-account opnieuw in te stellen. Open deze link binnen een uur om een nieuw wachtwoord te kiezen:\n\n${link}\n\nDe link werkt één keer. Hebt u dit niet aangevraagd, dan hoeft u niets te doen. Uw wachtwoord blijft ongewijzigd.`,
  },
  passwordChanged: {
    subject: 'Uw Bluejay-wachtwoord is gewijzigd',
    text: (link: string) =>
      `Hallo,\n\nHet wachtwoord van uw Bluejay-account is zojuist gewijzigd en alle andere sessies zijn afgemeld.\n\nHebt u dit niet zelf gedaan, stel dan meteen een nieuw wachtwoord in en waarschuw uw beheerder:\n\n${link}`,
  },
  failedSignIns: {
    subject: 'Mislukte aanmeldingen bij uw Bluejay-account',
    text: ({ attempts, link }: { attempts: number; link: string }) =>
      `Hallo,\n\nVandaag is ${attempts} keer geprobeerd om met een verkeerd wachtwoord aan te melden bij uw Bluejay-account.\n\nWas u dit zelf, kies dan een nieuw wachtwoord via de link hieronder. Zo niet, dan heeft uw wachtwoord uw account beschermd en hoeft u niets te doen.\n\nNa 100 verkeerde wachtwoorden op één dag kunt u zich alleen nog aanmelden met een browser die u eerder hebt gebruikt. Deze link werkt altijd:\n\n${link}`,
  },
} satisfies typeof en.mails;
