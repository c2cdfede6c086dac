import type { Texts } from '../en.ts';

export const profile = {
  title: 'Profiel',
  account: 'Account',
  email: 'E-mailadres',
  organization: 'Organisatie',
  language: 'Taal',
  languageOf: "Pagina's en e-mails",
  languageLead: 'Een adres met een taal erin, zoals /nl/, wordt altijd in die taal getoond.',
  browserLanguage: 'Wat mijn browser vraagt',
  saveLanguage: 'De taal opslaan',
  password: 'Wachtwoord',
  passwordLead: 'Een nieuw wachtwoord meldt u op alle andere toestellen af.',
  currentPassword: 'Huidig wachtwoord',
  changePassword: 'Het wachtwoord wijzigen',
} satisfies Texts['profile'];
