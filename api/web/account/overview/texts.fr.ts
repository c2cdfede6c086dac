import { pluralOf } from '#api/web/design/format.ts';
import type { Texts } from '#api/web/texts/en.ts';

const plural = pluralOf('fr');

export const overview = {
  wallets: 'Portefeuilles',
  balance: { live: 'Portefeuille réel', test: 'Portefeuille de test' },
  balanceHint: { live: 'Pour payer de vraies lettres', test: 'Argent fictif pour vos tests' },
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
} satisfies Texts['overview'];
