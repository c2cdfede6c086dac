import type * as en from './texts.en.ts';

export const profile = {
  account: 'Account',
  email: 'E-mailadres',
  organization: 'Organisatie',
  language: 'Taal',
  languageOf: 'Taal van pagina’s en e-mails',
  languageLead: 'Een pagina met een taal in het adres, zoals /nl/, wordt altijd in die taal getoond.',
  browserLanguage: 'Zoals in mijn browser',
  saveLanguage: 'Taal opslaan',
  coverPages: 'Adres op uw brieven',
  coverPagesLead:
    'Het adres van de geadresseerde wordt op de eerste pagina afgedrukt, op de plaats van het envelopvenster. Het kan ook op een gratis voorblad vóór de brief staan.',
  coverPageRule: 'Voorblad',
  coverPageRules: {
    auto: {
      label: 'Alleen als het nodig is',
      hint: 'Als er op de eerste pagina iets staat op de plaats van het venster.',
    },
    always: { label: 'Altijd', hint: 'Voor elke brief, ook als de plaats van het venster leeg is.' },
    never: {
      label: 'Nooit',
      hint: 'Een brief met iets op de plaats van het venster wordt verstuurd zoals hij is. Kies dit als uw documenten daar al het adres tonen.',
    },
  },
  saveCoverPages: 'Opslaan',
  password: 'Wachtwoord',
  passwordLead: 'Als u uw wachtwoord wijzigt, wordt u op alle andere apparaten afgemeld.',
  currentPassword: 'Huidig wachtwoord',
  changePassword: 'Wachtwoord wijzigen',
} satisfies typeof en.profile;
