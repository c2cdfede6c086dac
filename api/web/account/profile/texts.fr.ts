import type * as en from './texts.en.ts';

export const profile = {
  account: 'Compte',
  email: 'Adresse e-mail',
  organization: 'Organisation',
  language: 'Langue',
  languageOf: 'Langue des pages et des e-mails',
  languageLead: 'Une page dont l’adresse contient une langue, par exemple /fr/, s’affiche toujours dans cette langue.',
  browserLanguage: 'Celle de mon navigateur',
  saveLanguage: 'Enregistrer la langue',
  coverPages: 'Adresse sur vos lettres',
  coverPagesLead:
    'L’adresse du destinataire est imprimée sur la première page, à l’endroit de la fenêtre de l’enveloppe. Elle peut aussi figurer sur une page de garde gratuite, devant la lettre.',
  coverPageRule: 'Page de garde',
  coverPageRules: {
    auto: {
      label: 'Seulement si nécessaire',
      hint: 'Quand la première page contient quelque chose à l’endroit de la fenêtre.',
    },
    always: { label: 'Toujours', hint: 'Pour chaque lettre, même si la zone de la fenêtre est vide.' },
    never: {
      label: 'Jamais',
      hint: 'Une lettre dont la zone de la fenêtre n’est pas vide part telle quelle. Choisissez cette option si vos documents y montrent déjà l’adresse.',
    },
  },
  saveCoverPages: 'Enregistrer',
  password: 'Mot de passe',
  passwordLead: 'Si vous changez de mot de passe, vous serez déconnecté de tous vos autres appareils.',
  currentPassword: 'Mot de passe actuel',
  changePassword: 'Changer le mot de passe',
} satisfies typeof en.profile;
