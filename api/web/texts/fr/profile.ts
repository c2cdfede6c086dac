import type { Texts } from '../en.ts';

export const profile = {
  title: 'Profil',
  account: 'Compte',
  email: 'Adresse e-mail',
  organization: 'Organisation',
  language: 'Langue',
  languageOf: 'Pages et e-mails',
  languageLead: 'Une adresse qui contient une langue, comme /fr/, est toujours affichée dans celle-ci.',
  browserLanguage: 'Celle que demande mon navigateur',
  saveLanguage: 'Enregistrer la langue',
  password: 'Mot de passe',
  passwordLead: 'Un nouveau mot de passe vous déconnecte sur tous les autres appareils.',
  currentPassword: 'Mot de passe actuel',
  changePassword: 'Changer le mot de passe',
} satisfies Texts['profile'];
