import type * as en from './texts.en.ts';

export const apiKeys = {
  lead: 'Uw systemen sturen bij elk verzoek een sleutel mee. Een sleutel handelt voor uw hele organisatie, in één modus en binnen de toegekende rechten.',
  create: 'Nieuwe sleutel',
  name: 'Naam',
  nameHint: 'Waarvoor u de sleutel gebruikt, bijvoorbeeld “Facturen” of “Webshop”.',
  modes: {
    test: { label: 'Test', hint: 'Testomgeving: speelgeld, er wordt niets gedrukt' },
    live: { label: 'Live', hint: 'Echte brieven, betaald met het live tegoed' },
  },
  scopes: 'Rechten',
  scopesHint: 'Geef alleen de rechten die nodig zijn.',
  scopeTexts: {
    read: 'Brieven, prijzen en lijsten lezen',
    send: 'Brieven versturen en bestanden uploaden',
    webhooks: 'Webhooks maken en verwijderen',
    addresses: 'Het adresboek beheren',
    wallet: 'Het saldo van het tegoed lezen',
  },
  submit: 'Sleutel maken',
  existing: 'Uw sleutels',
  unnamed: 'Zonder naam',
  id: 'Sleutel-ID',
  created: 'Gemaakt op',
  lastUsed: 'Laatst gebruikt',
  never: 'Nooit',
  revoke: 'Intrekken',
  revokeOf: (name: string) => `Sleutel ${name} intrekken`,
  none: 'Nog geen sleutels',
  noneHint: 'Maak hierboven uw eerste sleutel. Begin met een testsleutel: daarmee kunt u alles proberen, gratis.',
  createdTitle: 'Uw nieuwe sleutel',
  createdLead:
    'Kopieer de sleutel nu en bewaar hem op een veilige plaats. U kunt hem later niet meer bekijken: wij bewaren alleen een hash.',
  createdKey: 'API-sleutel',
  tryIt: 'Uitproberen',
  back: 'Ik heb de sleutel bewaard',
  more: 'Meer in uw account',
} satisfies typeof en.apiKeys;
