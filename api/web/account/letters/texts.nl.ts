import type * as en from './texts.en.ts';

export const letters = {
  lead: 'Alle brieven van uw organisatie, de nieuwste eerst.',
  clear: 'Filters wissen',
  zone: 'Bestemming',
  externalId: 'Uw eigen ID',
  from: 'Gemaakt vanaf',
  to: 'Gemaakt tot en met',
  letter: 'Brief',
  recipients: 'Ontvangers',
  price: 'Prijs',
  created: 'Gemaakt op',
  none: 'Nog geen brieven',
  noneHint: 'Brieven die u of uw systemen in deze modus versturen, verschijnen hier.',
  noMatch: 'Geen brieven gevonden',
  noMatchHint: 'Kies een langere periode of wis de filters.',
} satisfies typeof en.letters;
