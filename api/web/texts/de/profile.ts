import type { Texts } from '../en.ts';

export const profile = {
  title: 'Profil',
  account: 'Konto',
  email: 'E-Mail-Adresse',
  organization: 'Organisation',
  language: 'Sprache',
  languageOf: 'Seiten und E-Mails',
  languageLead: 'Eine Adresse, in der eine Sprache steht, etwa /de/, wird immer in dieser Sprache gezeigt.',
  browserLanguage: 'Wie mein Browser es wünscht',
  saveLanguage: 'Sprache speichern',
  password: 'Passwort',
  passwordLead: 'Ein neues Passwort meldet Sie auf allen anderen Geräten ab.',
  currentPassword: 'Jetziges Passwort',
  changePassword: 'Passwort ändern',
} satisfies Texts['profile'];
