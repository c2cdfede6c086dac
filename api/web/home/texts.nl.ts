import type * as en from './texts.en.ts';

export const home = {
  title: 'Papieren post vanuit uw eigen systemen',
  lead: 'Verstuur brieven via een API: met een prijs tot op de cent, gedrukt, gepost en stap voor stap te volgen.',
  signIn: 'Aanmelden bij uw account',
  toAccount: 'Naar uw account',
  docs: 'API-documentatie lezen',
  points: {
    price: {
      title: 'Vooraf een vaste prijs',
      text: 'Offertes en brieven volgen hetzelfde tarief en uw tegoed verantwoordt elke cent.',
    },
    proof: {
      title: 'Volg elke stap',
      text: 'Gedrukt, gepost, bezorgd: ondertekende webhooks melden het meteen aan uw systemen.',
    },
    sandbox: {
      title: 'Gratis testen',
      text: 'Testsleutels versturen dezelfde brieven met speelgeld. Er wordt nooit iets gedrukt.',
    },
  },
  forPrograms: 'Basis-URL van de API:',
} satisfies typeof en.home;
