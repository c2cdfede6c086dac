import { pluralOf } from '../../format.ts';
import type { Texts } from '../en.ts';

const plural = pluralOf('fr');

export const overview = {
  title: "Vue d'ensemble",
  wallets: 'Portefeuilles',
  balance: { live: 'Portefeuille réel', test: 'Portefeuille de test' },
  balanceHint: { live: 'Paie les vraies lettres', test: 'Argent fictif pour les essais' },
  attention: 'À traiter',
  lowBalance: (balance: string) =>
    `Il ne reste que ${balance} dans le portefeuille réel. Les lettres sont refusées dès qu'il est vide.`,
  disabledWebhooks: (count: number, mode: string) =>
    `${plural(count, { one: '# webhook est désactivé', other: '# webhooks sont désactivés' })} (${mode}) : les événements ne sont pas transmis.`,
  failedLetters: (count: number, mode: string) =>
    `${plural(count, { one: '# lettre a échoué', other: '# lettres ont échoué' })} ces sept derniers jours (${mode}). Le prix a été remboursé.`,
  recent: 'Lettres récentes',
  allLetters: 'Toutes les lettres',
  noLetters: 'Pas encore de lettres',
  noLettersHint:
    'Créez une clé API et envoyez la première lettre depuis votre propre système. Une clé de test ne coûte rien.',
  makeKey: 'Créer une clé API',
  letter: 'Lettre',
  recipient: 'Destinataires',
  status: 'Statut',
  mode: 'Mode',
  price: 'Prix',
  created: 'Créée le',
} satisfies Texts['overview'];
