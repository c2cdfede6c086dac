import type { Texts } from '#api/web/texts/en.ts';

export const profile = {
  title: 'Profil',
  account: 'Compte',
  email: 'Adresse e-mail',
  organization: 'Organisation',
  language: 'Langue',
  languageOf: 'Langue des pages et des e-mails',
  languageLead: 'Une page dont l’adresse contient une langue, par exemple /fr/, s’affiche toujours dans cette langue.',
  browserLanguage: 'Celle de mon navigateur',
  saveLanguage: 'Enregistrer la langue',
  password: 'Mot de passe',
  passwordLead: 'Si vous changez de mot de passe, vous serez déconnecté de tous vos autres appareils.',
  currentPassword: 'Mot de passe actuel',
  changePassword: 'Changer le mot de passe',
} satisfies Texts['profile'];
