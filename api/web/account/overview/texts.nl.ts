import { pluralOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

export { letters } from '#api/web/account/letters/texts.nl.ts';
export { reports } from '#api/web/account/reports/texts.nl.ts';

const plural = pluralOf('nl');

export const overview = {
  wallets: 'Tegoeden',
  balance: { live: 'Live tegoed', test: 'Testtegoed' },
  attention: 'Vraagt uw aandacht',
  lowBalance: (balance: string) =>
    `Uw live tegoed bedraagt nog maar ${balance}. Laad het op tijd op: zodra het op is, worden brieven geweigerd.`,
  disabledWebhooks: (count: number, mode: string) =>
    `${plural(count, { one: '# webhook is uitgeschakeld en ontvangt geen gebeurtenissen', other: '# webhooks zijn uitgeschakeld en ontvangen geen gebeurtenissen' })} (${mode}).`,
  failedLetters: (count: number, mode: string) =>
    `${plural(count, { one: '# brief is mislukt', other: '# brieven zijn mislukt' })} in de laatste zeven dagen (${mode}). De prijs is terugbetaald.`,
  recent: 'Recente brieven',
  allLetters: 'Alle brieven',
  noLetters: 'Nog geen brieven',
  noLettersHint:
    'Verstuur de eerste hier, of maak een API-sleutel en verstuur hem vanuit uw eigen systeem. Testbrieven kosten niets.',
  makeKey: 'API-sleutel maken',
  letter: 'Brief',
  recipient: 'Ontvangers',
  price: 'Prijs',
  created: 'Gemaakt op',
} satisfies typeof en.overview;
