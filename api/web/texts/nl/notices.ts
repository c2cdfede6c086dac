import type { Texts } from '../en.ts';

export const notices = {
  changeSaved: 'Wijziging opgeslagen.',
  addressSaved: 'Adres opgeslagen.',
  addressDeleted: 'Adres verwijderd.',
  letterCancelled: 'Brief geannuleerd. Het bedrag is teruggestort op uw tegoed.',
  addressIsDefault: 'Dit is nu het standaardadres.',
  applicationRevoked: 'Toegang ingetrokken. De toepassing kan niet meer voor u handelen.',
  deliveryRequested: 'De aflevering wordt opnieuw verstuurd. Het resultaat verschijnt zo meteen in de lijst.',
  nothingToRedeliver: 'Er was niets om opnieuw te versturen.',
  redeliveryBegun: 'De mislukte afleveringen worden opnieuw verstuurd. De resultaten verschijnen in de lijst.',
  redeliveryHasMore:
    'De eerste 10.000 afleveringen worden opnieuw verstuurd. Er zijn er meer: verstuur het formulier nog eens voor de rest.',
  testWalletFilled: 'Testtegoed opgeladen.',
  thresholdSaved: 'Drempel opgeslagen.',
  webhookChanged: 'Webhook gewijzigd.',
  webhookDeleted: 'Webhook verwijderd. Hij ontvangt geen gebeurtenissen meer.',
  webhookDisabled: 'Webhook uitgeschakeld. Hij ontvangt geen gebeurtenissen tot u hem weer inschakelt.',
  webhookEnabled: 'Webhook ingeschakeld.',
  webhookPinged: 'Testgebeurtenis verstuurd. Het resultaat verschijnt zo meteen onder Afleveringen.',
  keyRevoked: 'Sleutel ingetrokken. Hij werkt niet meer.',
  coverPagesSaved: 'Instelling opgeslagen. Ze geldt voor brieven die vanaf nu worden klaargemaakt.',
  languageSaved: 'Taal opgeslagen.',
  passwordChanged: 'Wachtwoord gewijzigd. U bent op alle andere apparaten afgemeld.',
  passwordReset: 'Wachtwoord ingesteld. Meld u aan met uw nieuwe wachtwoord.',
  signedOut: 'U bent afgemeld.',
  usedReference: 'Er is niets geboekt: deze referentie is al gebruikt voor dit tegoed.',
} satisfies Texts['notices'];
