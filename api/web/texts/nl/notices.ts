import type { Texts } from '../en.ts';

export const notices = {
  applicationRevoked: 'De toegang is ingetrokken: de toepassing kan niets meer voor u doen.',
  deliveryRequested: 'De bezorging wordt nu opnieuw verstuurd. Het resultaat verschijnt zo dadelijk in de lijst.',
  nothingToRedeliver: 'Er was niets om opnieuw te versturen.',
  redeliveryBegun: 'Wat mislukt was, wordt nu opnieuw verstuurd. De resultaten verschijnen in de lijst.',
  redeliveryHasMore: 'De eerste 10.000 worden nu opnieuw verstuurd. Er zijn er meer: vraag het nog eens voor de rest.',
  testWalletFilled: 'De testportemonnee is aangevuld.',
  thresholdSaved: 'De drempel is opgeslagen.',
  webhookChanged: 'De webhook is gewijzigd.',
  webhookDeleted: 'De webhook is verwijderd: er wordt niets meer naartoe gestuurd.',
  webhookDisabled: 'De webhook is uitgeschakeld: er wordt niets meer naartoe gestuurd.',
  webhookEnabled: 'De webhook is weer ingeschakeld.',
  webhookPinged: 'Een testgebeurtenis is onderweg. Het resultaat verschijnt zo dadelijk bij de bezorgingen.',
  keyRevoked: 'De sleutel is ingetrokken: hij werkt niet meer.',
  languageSaved: 'De taal is opgeslagen.',
  passwordChanged: 'Uw wachtwoord is gewijzigd. U bent op alle andere toestellen afgemeld.',
  passwordReset: 'Uw wachtwoord is ingesteld. Meld u er nu mee aan.',
  signedOut: 'U bent afgemeld.',
} satisfies Texts['notices'];
