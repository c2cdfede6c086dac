import { pluralOf } from '../../format.ts';
import type { Texts } from '../en.ts';

const plural = pluralOf('de');

export const webhooks = {
  title: 'Webhooks',
  lead: 'Ihr System erfährt jeden Schritt eines Briefes durch eine signierte Anfrage an eine Adresse von Ihnen.',
  existing: 'Ihre Webhooks',
  none: 'Noch keine Webhooks',
  noneHint: 'Legen Sie unten den ersten an. Von da an erhält er die Ereignisse.',
  onlyNewest: 'Von den abgeschalteten Webhooks werden nur die neuesten gezeigt.',
  create: 'Neuer Webhook',
  mode: 'Modus',
  modeHints: { test: 'Ereignisse von Testbriefen', live: 'Ereignisse echter Briefe' },
  url: 'Adresse',
  urlHint: 'Mit https, auf Port 443 oder 8443, an einer öffentlichen Adresse.',
  events: 'Ereignisse',
  eventTexts: {
    MAIL_QUEUED: 'Ein Brief wurde angenommen und bezahlt',
    MAIL_PRINTED: 'Er wurde gedruckt',
    MAIL_POSTED: 'Er wurde der Post übergeben',
    MAIL_DELIVERED: 'Er wurde zugestellt',
    MAIL_FAILED: 'Er ist gescheitert und wurde erstattet',
  },
  description: 'Beschreibung',
  descriptionHint: 'Für Sie und Ihre Kollegen.',
  submit: 'Webhook anlegen',
  status: 'Status',
  statuses: { active: 'Aktiv', disabled: 'Abgeschaltet' },
  disabledBecause: {
    OWNER: 'Ihre Organisation hat ihn abgeschaltet. Was inzwischen geschieht, wird nicht gesendet.',
    GONE: 'Er wurde abgeschaltet, weil sein Empfänger mit 410 Gone geantwortet hat. Bringen Sie den Empfänger in Ordnung und schalten Sie ihn wieder ein.',
    FAILING:
      'Er wurde abgeschaltet, weil fünf Tage lang nichts durchkam. Bringen Sie den Empfänger in Ordnung und schalten Sie ihn wieder ein.',
    other: 'Wir haben ihn abgeschaltet. Bringen Sie den Empfänger in Ordnung und schalten Sie ihn wieder ein.',
  },
  created: 'Erstellt',
  id: 'Webhook-ID',
  createdTitle: 'Ihr neuer Webhook',
  secretLead:
    'Kopieren Sie das Geheimnis jetzt und bewahren Sie es dort auf, wo Ihr System seine Geheimnisse hat: Damit wird die Signatur jeder Anfrage geprüft. Es wird nur dieses eine Mal gezeigt.',
  secret: 'Signaturgeheimnis',
  secretStored: 'Ich habe das Geheimnis gesichert',
  detailTitle: 'Webhook',
  ping: 'Testereignis senden',
  enable: 'Einschalten',
  disable: 'Abschalten',
  settings: 'Einstellungen',
  save: 'Änderungen speichern',
  rotate: 'Neues Geheimnis',
  rotateLead:
    'Ersetzt das Signaturgeheimnis. In der Übergangszeit werden Anfragen mit beiden signiert, damit Ihr System umstellen kann, ohne etwas zu verlieren.',
  overlapHours: 'Übergangszeit in Stunden',
  overlapHoursHint: '0 bis 24. Mit 0 endet das alte Geheimnis sofort: richtig, wenn es bekannt geworden ist.',
  rotateSubmit: 'Neues Geheimnis erstellen',
  rotatedTitle: 'Das neue Geheimnis',
  oldSecretUntil: (until: string) => `Das alte Geheimnis signiert noch bis ${until}.`,
  oldSecretEnded: 'Das alte Geheimnis signiert nichts mehr.',
  remove: 'Diesen Webhook löschen',
  removeTitle: 'Diesen Webhook löschen?',
  removeLead:
    'Es wird nichts mehr an ihn gesendet, was wartet, wird aufgegeben, und er lässt sich nicht zurückholen. Für eine Pause schalten Sie ihn besser ab.',
  removeSubmit: 'Endgültig löschen',
  keep: 'Behalten',
} satisfies Texts['webhooks'];

export const deliveries = {
  title: 'Zustellungen',
  lead: 'Die der letzten 90 Tage, die neuesten zuerst.',
  state: 'Zustand',
  event: 'Ereignis',
  all: 'Alle',
  states: {
    due: 'Wartet',
    sending: 'Wird gesendet',
    delivered: 'Angekommen',
    failed: 'Gescheitert',
    discarded: 'Aufgegeben',
  },
  letter: 'Brief',
  ofLetter: (letterId: string) => `Nur Zustellungen zum Brief ${letterId}.`,
  allLetters: 'Die aller Briefe zeigen',
  none: 'Hier gibt es keine Zustellungen',
  noneHint:
    'Zustellungen erscheinen, sobald ein solches Ereignis eintritt. Ein Testereignis zeigt, ob Ihr Empfänger funktioniert.',
  attempts: (count: number) => plural(count, { one: '# Versuch', other: '# Versuche' }),
  attempt: (number: number) => `Versuch ${number}`,
  notTried: 'Noch nicht versucht',
  next: (at: string) => `Nächster Versuch: ${at}`,
  byHand: 'Von Hand noch einmal gesendet: ein einziger Versuch.',
  answered: (status: number) => `Antwort ${status}`,
  errorClasses: {
    dns: 'Der Name des Hosts wurde nicht gefunden',
    blocked_ip: 'Die Adresse ist nicht öffentlich',
    connect: 'Keine Verbindung zum Empfänger',
    tls: 'Das Zertifikat des Empfängers wurde nicht angenommen',
    timeout: 'Der Empfänger hat nicht rechtzeitig geantwortet',
    http: 'Die Antwort war kein gültiges HTTP',
    other: 'Der Versuch wurde abgebrochen',
  },
  reply: 'Anfang der Antwort',
  redeliver: 'Noch einmal senden',
  redeliverOf: (deliveryId: string) => `Noch einmal senden: Zustellung ${deliveryId}`,
  redeliverFailed: 'Gescheitertes noch einmal senden',
  redeliverFailedLead:
    'Alles, was endgültig gescheitert ist oder aufgegeben wurde, während der Webhook abgeschaltet war. Jede Zustellung wird einmal versucht.',
  since: 'Entstanden in',
  sinceOptions: {
    hour: 'der letzten Stunde',
    day: 'den letzten 24 Stunden',
    week: 'den letzten 7 Tagen',
    fortnight: 'den letzten 14 Tagen',
  },
  redeliverFailedSubmit: 'Noch einmal senden',
} satisfies Texts['deliveries'];

export const jobSecrets = {
  title: 'Geheimnisse der Brief-Webhooks',
  lead: 'Ein Brief kann eine eigene Webhook-Adresse nennen (webhookUrl). Anfragen dorthin werden mit diesem Geheimnis Ihrer Organisation signiert, eines je Modus.',
  reveal: 'Geheimnis zeigen',
  revealOf: { test: 'Geheimnis zeigen (Test)', live: 'Geheimnis zeigen (Live)' },
  hidden: 'Das Geheimnis erscheint auf einer eigenen Seite. Sehen Sie zuerst nach, ob jemand mitliest.',
  shownTitle: { test: 'Geheimnis der Brief-Webhooks, Test', live: 'Geheimnis der Brief-Webhooks, Live' },
  shownLead:
    'Bewahren Sie es dort auf, wo Ihr System seine Geheimnisse hat: Wer es besitzt, kann sich als uns ausgeben.',
  back: 'Wieder verbergen',
  ofMode: { test: 'Testbriefe', live: 'Live-Briefe' },
} satisfies Texts['jobSecrets'];
