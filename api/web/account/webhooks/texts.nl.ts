import { pluralOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

const plural = pluralOf('nl');

export const webhooks = {
  lead: 'Bij elke stap van een brief sturen wij uw systeem een ondertekend verzoek, naar een adres dat u kiest.',
  existing: 'Uw webhooks',
  none: 'Nog geen webhooks',
  noneHint: 'Maak hieronder uw eerste webhook. Vanaf dan ontvangt hij alle gebeurtenissen.',
  onlyNewest: 'Alleen de nieuwste uitgeschakelde webhooks worden getoond.',
  create: 'Nieuwe webhook',
  modeHints: { test: 'Gebeurtenissen van testbrieven', live: 'Gebeurtenissen van echte brieven' },
  url: 'URL',
  urlHint: 'Gebruik https op poort 443 of 8443, op een openbaar adres.',
  events: 'Gebeurtenissen',
  eventTexts: {
    MAIL_QUEUED: 'Een brief is aanvaard en betaald',
    MAIL_PRINTED: 'Een brief is gedrukt',
    MAIL_POSTED: 'Een brief is aan de post afgegeven',
    MAIL_DELIVERED: 'Een brief is bezorgd',
    MAIL_FAILED: 'Een brief is mislukt en terugbetaald',
    ITEM_RETURNED: 'Een exemplaar van een brief kwam terug',
    BULK_COMPLETED: 'Alle brieven van een lijst zijn verstuurd',
  },
  description: 'Omschrijving',
  descriptionHint: 'Voor u en uw collega’s.',
  submit: 'Webhook maken',
  statuses: { active: 'Actief', disabled: 'Uitgeschakeld' },
  disabledBecause: {
    OWNER:
      'Uw organisatie heeft deze webhook uitgeschakeld. Hij ontvangt geen gebeurtenissen tot u hem weer inschakelt.',
    GONE: 'Wij hebben deze webhook uitgeschakeld omdat uw endpoint 410 Gone antwoordde. Herstel uw endpoint en schakel de webhook weer in.',
    FAILING:
      'Wij hebben deze webhook uitgeschakeld omdat vijf dagen lang elke aflevering mislukte. Herstel uw endpoint en schakel de webhook weer in.',
    CONSENT_ENDED:
      'Wij hebben deze webhook uitgeschakeld omdat de toegang van de toepassing die hem heeft ingesteld, is beëindigd. Hij ontvangt geen gebeurtenissen tot u hem inschakelt.',
    other: 'Wij hebben deze webhook uitgeschakeld. Herstel uw endpoint en schakel de webhook weer in.',
  },
  created: 'Gemaakt op',
  id: 'Webhook-ID',
  createdTitle: 'Uw nieuwe webhook',
  secretLead:
    'Kopieer de ondertekeningssleutel nu en bewaar hem op een veilige plaats. Uw systeem heeft hem nodig om de handtekening van elk verzoek te controleren. U kunt hem later niet meer bekijken.',
  secret: 'Ondertekeningssleutel',
  secretStored: 'Ik heb de sleutel bewaard',
  detailTitle: 'Webhook',
  ping: 'Testgebeurtenis sturen',
  enable: 'Inschakelen',
  disable: 'Uitschakelen',
  settings: 'Instellingen',
  save: 'Wijzigingen opslaan',
  rotate: 'Ondertekeningssleutel vernieuwen',
  rotateLead:
    'Maakt een nieuwe ondertekeningssleutel. Tijdens de overgang ondertekenen wij verzoeken met beide sleutels, zodat uw systeem kan overschakelen zonder iets te missen.',
  overlapHours: 'Overgang in uren',
  overlapHoursHint: 'Van 0 tot 24. Kies 0 als de sleutel gelekt is: de oude werkt dan meteen niet meer.',
  rotateSubmit: 'Nieuwe sleutel maken',
  rotatedTitle: 'Uw nieuwe ondertekeningssleutel',
  oldSecretUntil: (until: string) => `Verzoeken worden tot ${until} ook met de oude sleutel ondertekend.`,
  oldSecretEnded: 'De oude sleutel wordt niet meer gebruikt.',
  remove: 'Webhook verwijderen',
  removeTitle: 'Deze webhook verwijderen?',
  removeLead:
    'Hij ontvangt niets meer, wachtende afleveringen worden geannuleerd en u kunt hem niet herstellen. Wilt u hem alleen pauzeren, schakel hem dan uit.',
  removeSubmit: 'Definitief verwijderen',
  keep: 'Webhook behouden',
} satisfies typeof en.webhooks;

export const deliveries = {
  title: 'Afleveringen',
  lead: 'De afleveringen van de laatste 90 dagen, de nieuwste eerst.',
  event: 'Gebeurtenis',
  states: {
    due: 'Wacht',
    sending: 'Wordt verstuurd',
    delivered: 'Afgeleverd',
    failed: 'Mislukt',
    discarded: 'Geannuleerd',
  },
  letter: 'Brief',
  ofLetter: (letterId: string) => `Alleen afleveringen over brief ${letterId}.`,
  allLetters: 'Alle brieven tonen',
  none: 'Geen afleveringen',
  noneHint:
    'Afleveringen verschijnen zodra er een gebeurtenis is. Stuur een testgebeurtenis om te controleren of uw endpoint werkt.',
  attempts: (count: number) => plural(count, { one: '# poging', other: '# pogingen' }),
  attempt: (number: number) => `Poging ${number}`,
  notTried: 'Nog niet geprobeerd',
  next: (at: string) => `Volgende poging: ${at}`,
  resentManually: 'Handmatig opnieuw verstuurd, met één poging.',
  answered: (status: number) => `Antwoord ${status}`,
  errorClasses: {
    dns: 'Hostnaam niet gevonden',
    blocked_ip: 'Het adres is niet openbaar',
    connect: 'Geen verbinding met uw endpoint',
    tls: 'Het certificaat van uw endpoint is niet geldig',
    timeout: 'Uw endpoint antwoordde niet op tijd',
    http: 'Het antwoord was geen geldig HTTP',
    other: 'De poging is onderbroken',
  },
  reply: 'Begin van het antwoord',
  redeliver: 'Opnieuw versturen',
  redeliverOf: (deliveryId: string) => `Aflevering ${deliveryId} opnieuw versturen`,
  redeliverFailed: 'Mislukte afleveringen opnieuw versturen',
  redeliverFailedLead:
    'Alle afleveringen die definitief mislukt zijn of geannuleerd werden terwijl de webhook uitgeschakeld was. Elke aflevering krijgt één poging.',
  since: 'Gemaakt in',
  sinceOptions: {
    hour: 'het laatste uur',
    day: 'de laatste 24 uur',
    week: 'de laatste 7 dagen',
    fortnight: 'de laatste 14 dagen',
  },
  redeliverFailedSubmit: 'Opnieuw versturen',
} satisfies typeof en.deliveries;

export const jobSecrets = {
  lead: 'Een brief kan een eigen webhookadres hebben (webhookUrl). Verzoeken naar dat adres ondertekenen wij met deze sleutel van uw organisatie. Elke modus heeft een eigen sleutel.',
  reveal: 'Sleutel tonen',
  revealOf: { test: 'Sleutel tonen (test)', live: 'Sleutel tonen (live)' },
  hidden: 'De sleutel wordt op een aparte pagina getoond. Zorg dat niemand uw scherm kan zien.',
  shownTitle: { test: 'Sleutel van briefwebhooks (test)', live: 'Sleutel van briefwebhooks (live)' },
  shownLead: 'Bewaar deze sleutel op een veilige plaats. Wie hem heeft, kan zich voor ons uitgeven.',
  back: 'Sleutel verbergen',
  ofMode: { test: 'Testbrieven', live: 'Echte brieven' },
} satisfies typeof en.jobSecrets;
