import type { Texts } from '#api/web/texts/en.ts';

/** The letters of a list before they are paid. */
export const bulkRows: Texts['bulkRows'] = {
  title: (row) => `Ligne ${row}`,
  samples: 'Voir des lettres avant de payer',
  samplesLead: 'Ouvrez une ligne pour voir sa lettre telle qu’elle sera imprimée.',
  first: 'première ligne',
  longestAddress: 'adresse la plus longue',
  longestText: 'texte le plus long',
  warned: 'avec un avertissement',
  seeAll: 'Voir toutes les lignes',
  countries: 'Par pays et service',
  country: 'Pays',
  back: 'Retour à la liste',
  asPrinted: 'Telle qu’elle sera imprimée',
  pdf: 'Ouvrir le PDF',
  late: 'Cette lettre est en cours de préparation. La page s’actualise d’elle-même.',
  notRendered:
    'Cette lettre ne peut pas être préparée : le document ou le modèle a changé. Importez à nouveau la liste.',
  ways: 'Autres lignes',
  previous: 'Ligne précédente',
  next: 'Ligne suivante',
  jump: 'Aller à',
  warnedRows: 'Lignes avec avertissement',
  faulty: 'Cette ligne ne sera pas envoyée tant qu’elle n’est pas corrigée',
  address: 'Adresse',
  sheets: 'Feuilles',
  weight: 'Poids',
  grams: (grams) => `${grams} g`,
};
