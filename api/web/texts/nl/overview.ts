import { pluralOf } from '../../format.ts';
import type { Texts } from '../en.ts';

const plural = pluralOf('nl');

export const overview = {
  title: 'Overzicht',
  wallets: 'Portemonnees',
  balance: { live: 'Live portemonnee', test: 'Testportemonnee' },
  balanceHint: { live: 'Betaalt echte brieven', test: 'Speelgeld om te proberen' },
  attention: 'Vraagt uw aandacht',
  lowBalance: (balance: string) =>
    `In de live portemonnee zit nog ${balance}. Zodra ze leeg is, worden brieven geweigerd.`,
  disabledWebhooks: (count: number, mode: string) =>
    `${plural(count, { one: '# webhook is uitgeschakeld', other: '# webhooks zijn uitgeschakeld' })} (${mode}): de gebeurtenissen worden niet bezorgd.`,
  failedLetters: (count: number, mode: string) =>
    `${plural(count, { one: '# brief is mislukt', other: '# brieven zijn mislukt' })} in de laatste zeven dagen (${mode}). De prijs is terugbetaald.`,
  recent: 'Recente brieven',
  allLetters: 'Alle brieven',
  noLetters: 'Nog geen brieven',
  noLettersHint:
    'Maak een API-sleutel en verstuur de eerste brief vanuit uw eigen systeem. Een testsleutel kost niets.',
  makeKey: 'Een API-sleutel maken',
  letter: 'Brief',
  recipient: 'Ontvangers',
  status: 'Status',
  mode: 'Modus',
  price: 'Prijs',
  created: 'Gemaakt op',
} satisfies Texts['overview'];
