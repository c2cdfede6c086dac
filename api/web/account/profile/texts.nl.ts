import type { Texts } from '#api/web/texts/en.ts';

export const profile = {
  title: 'Profiel',
  account: 'Account',
  email: 'E-mailadres',
  organization: 'Organisatie',
  language: 'Taal',
  languageOf: 'Taal van pagina’s en e-mails',
  languageLead: 'Een pagina met een taal in het adres, zoals /nl/, wordt altijd in die taal getoond.',
  browserLanguage: 'Zoals in mijn browser',
  saveLanguage: 'Taal opslaan',
  password: 'Wachtwoord',
  passwordLead: 'Als u uw wachtwoord wijzigt, wordt u op alle andere apparaten afgemeld.',
  currentPassword: 'Huidig wachtwoord',
  changePassword: 'Wachtwoord wijzigen',
} satisfies Texts['profile'];
