import type { Texts } from '../en.ts';

export const home = {
  title: 'Papieren post vanuit uw eigen systemen',
  lead: 'Verstuur brieven via een API: geprijsd tot op de cent, gedrukt, gepost en stap voor stap gevolgd.',
  signIn: 'Aanmelden bij uw account',
  toAccount: 'Naar uw account',
  docs: 'De API-documentatie lezen',
  points: {
    price: {
      title: 'Een prijs vóór elke brief',
      text: 'Offerte en brief volgen hetzelfde tarief. Uw vooraf betaalde portemonnee toont elke cent.',
    },
    proof: {
      title: 'Bewijs van elke stap',
      text: 'Gedrukt, gepost, bezorgd: ondertekende webhooks melden het meteen aan uw systemen.',
    },
    sandbox: {
      title: 'Een waarheidsgetrouwe testomgeving',
      text: 'Testsleutels versturen dezelfde brieven met speelgeld, en er wordt nooit iets gedrukt.',
    },
  },
  forPrograms: "Programma's versturen brieven via de API op",
} satisfies Texts['home'];
