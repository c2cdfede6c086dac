import type * as en from './texts.en.ts';

export const letters = {
  lead: 'Toutes les lettres de votre organisation, les plus récentes en premier.',
  clear: 'Effacer les filtres',
  zone: 'Destination',
  externalId: 'Votre identifiant',
  from: 'Créées à partir du',
  to: 'Créées jusqu’au',
  letter: 'Lettre',
  recipients: 'Destinataires',
  price: 'Prix',
  created: 'Créée le',
  none: 'Aucune lettre pour le moment',
  noneHint: 'Les lettres que vous ou vos systèmes envoyez dans ce mode apparaîtront ici.',
  noMatch: 'Aucune lettre trouvée',
  noMatchHint: 'Choisissez une période plus longue ou effacez les filtres.',
} satisfies typeof en.letters;
