import { pluralOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

export { letters } from '#api/web/account/letters/texts.fr.ts';
export { reports } from '#api/web/account/reports/texts.fr.ts';

const plural = pluralOf('fr');

export const overview = {
  wallets: 'Portefeuilles',
  balance: { live: 'Portefeuille réel', test: 'Portefeuille de test' },
  attention: 'À traiter',
  lowBalance: (balance: string) =>
    `Il reste ${balance} dans votre portefeuille réel. Approvisionnez-le à temps : les lettres sont refusées dès qu’il est vide.`,
  disabledWebhooks: (count: number, mode: string) =>
    `${plural(count, { one: '# webhook est désactivé et ne reçoit aucun événement', other: '# webhooks sont désactivés et ne reçoivent aucun événement' })} (${mode}).`,
  failedLetters: (count: number, mode: string) =>
    `${plural(count, { one: '# lettre a échoué', other: '# lettres ont échoué' })} au cours des sept derniers jours (${mode}). Le prix a été remboursé.`,
  recent: 'Lettres récentes',
  allLetters: 'Toutes les lettres',
  noLetters: 'Aucune lettre pour le moment',
  noLettersHint:
    'Envoyez la première ici, ou créez une clé API et envoyez-la depuis votre système. Les lettres de test ne coûtent rien.',
  makeKey: 'Créer une clé API',
  letter: 'Lettre',
  recipient: 'Destinataires',
  price: 'Prix',
  created: 'Créée le',
} satisfies typeof en.overview;
