export const profile = {
  account: 'Account',
  email: 'Email address',
  organization: 'Organization',
  language: 'Language',
  languageOf: 'Language of pages and emails',
  languageLead: 'A page whose address contains a language, such as /fr/, is always shown in that language.',
  browserLanguage: 'Same as my browser',
  saveLanguage: 'Save language',
  coverPages: 'Address on your letters',
  coverPagesLead:
    'The recipient’s address is printed on the first page where the envelope has its window. It can also be on a cover page in front of the letter, free of charge.',
  coverPageRule: 'Cover page',
  coverPageRules: {
    auto: { label: 'Only when needed', hint: 'When the first page has something where the window is.' },
    always: { label: 'Always', hint: 'Every letter, also when the window area is blank.' },
    never: {
      label: 'Never',
      hint: 'A letter with something in the window area is sent as it is. Choose this when your documents already show the address there.',
    },
  },
  saveCoverPages: 'Save',
  password: 'Password',
  passwordLead: 'Changing your password signs you out on all other devices.',
  currentPassword: 'Current password',
  changePassword: 'Change password',
};
