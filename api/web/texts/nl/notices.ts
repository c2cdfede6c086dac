import type { Texts } from '../en.ts';

export const notices = {
  changeSaved: 'De wijziging is opgeslagen.',
  addressSaved: 'Het adres is bewaard.',
  addressDeleted: 'Het adres is verwijderd.',
  addressIsDefault: 'Het is nu het standaardadres.',
  keyRevoked: 'De sleutel is ingetrokken: hij werkt niet meer.',
  languageSaved: 'De taal is opgeslagen.',
  passwordChanged: 'Uw wachtwoord is gewijzigd. U bent op alle andere toestellen afgemeld.',
  passwordReset: 'Uw wachtwoord is ingesteld. Meld u er nu mee aan.',
  signedOut: 'U bent afgemeld.',
  usedReference: 'Er is niets geboekt: deze referentie is voor dezelfde portefeuille al gebruikt.',
} satisfies Texts['notices'];
