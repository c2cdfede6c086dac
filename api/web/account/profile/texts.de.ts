import type { Texts } from '#api/web/texts/en.ts';

export const profile = {
  title: 'Profil',
  account: 'Konto',
  email: 'E-Mail-Adresse',
  organization: 'Organisation',
  language: 'Sprache',
  languageOf: 'Sprache der Seiten und E-Mails',
  languageLead: 'Eine Seite mit einer Sprache in der Adresse, etwa /de/, wird immer in dieser Sprache angezeigt.',
  browserLanguage: 'Wie in meinem Browser',
  saveLanguage: 'Sprache speichern',
  password: 'Passwort',
  passwordLead: 'Wenn Sie Ihr Passwort ändern, werden Sie auf allen anderen Geräten abgemeldet.',
  currentPassword: 'Aktuelles Passwort',
  changePassword: 'Passwort ändern',
} satisfies Texts['profile'];
