export const profile = {
  title: 'Profile',
  account: 'Account',
  email: 'E-mail address',
  organization: 'Organization',
  language: 'Language',
  languageLead: 'Of pages and mails. An address with a language in it, such as /fr/, is always shown in that one.',
  browserLanguage: 'As my browser asks for',
  saveLanguage: 'Save the language',
  password: 'Password',
  passwordLead: 'A new password signs you out on all other devices.',
  currentPassword: 'Present password',
  changePassword: 'Change the password',
};
