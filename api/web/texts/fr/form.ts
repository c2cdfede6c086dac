import type { Texts } from '../en.ts';

export const form = {
  problem: 'Il y a un problème',
  optional: 'facultatif',
  showMore: 'Afficher plus',
  newer: 'Plus récents',
  older: 'Plus anciens',
  pagination: 'Pages de cette liste',
  copy: 'Copier',
  copied: 'Copié',
  errors: {
    required: 'Remplissez ce champ.',
    tooLong: 'Ce texte est trop long.',
    invalid: 'Cette valeur ne convient pas telle quelle. Vérifiez-la.',
    choose: 'Choisissez une des options.',
    chooseOne: 'Choisissez au moins une option.',
    belgianZip: 'Un code postal belge a quatre chiffres, de 1000 à 9999.',
    wrongSignIn: "L'adresse e-mail et le mot de passe ne correspondent pas. Vérifiez les deux et réessayez.",
    wrongPassword: "Ce n'est pas votre mot de passe actuel.",
    passwordTooShort: 'Utilisez au moins 12 caractères.',
    passwordTooLong: 'Utilisez au plus 200 caractères.',
    passwordsDiffer: 'Les deux mots de passe ne sont pas identiques.',
    throttled: 'Il y a eu trop de tentatives. Attendez un instant, puis réessayez.',
    linkExpired: 'Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.',
  },
} satisfies Texts['form'];
