import { pluralOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

const plural = pluralOf('de');

export const webhooks = {
  lead: 'Bei jedem Schritt eines Briefs senden wir Ihrem System eine signierte Anfrage an eine Adresse Ihrer Wahl.',
  existing: 'Ihre Webhooks',
  none: 'Noch keine Webhooks',
  noneHint: 'Legen Sie unten Ihren ersten Webhook an. Er erhält ab dann alle Ereignisse.',
  onlyNewest: 'Von den deaktivierten Webhooks werden nur die neuesten angezeigt.',
  create: 'Neuer Webhook',
  modeHints: { test: 'Ereignisse von Testbriefen', live: 'Ereignisse von echten Briefen' },
  url: 'URL',
  urlHint: 'Verwenden Sie https auf Port 443 oder 8443 und eine öffentliche Adresse.',
  events: 'Ereignisse',
  eventTexts: {
    MAIL_QUEUED: 'Ein Brief wurde angenommen und bezahlt',
    MAIL_PRINTED: 'Ein Brief wurde gedruckt',
    MAIL_POSTED: 'Ein Brief wurde bei der Post aufgegeben',
    MAIL_DELIVERED: 'Ein Brief wurde zugestellt',
    MAIL_FAILED: 'Ein Brief ist fehlgeschlagen und wurde erstattet',
    ITEM_RETURNED: 'Ein Exemplar eines Briefs kam zurück',
    BULK_COMPLETED: 'Alle Briefe einer Liste wurden versendet',
  },
  description: 'Beschreibung',
  descriptionHint: 'Für Sie und Ihr Team.',
  submit: 'Webhook anlegen',
  statuses: { active: 'Aktiv', disabled: 'Deaktiviert' },
  disabledBecause: {
    OWNER:
      'Ihre Organisation hat diesen Webhook deaktiviert. Er erhält keine Ereignisse, bis Sie ihn wieder aktivieren.',
    GONE: 'Wir haben diesen Webhook deaktiviert, weil Ihr Endpunkt mit 410 Gone geantwortet hat. Beheben Sie den Fehler an Ihrem Endpunkt und aktivieren Sie den Webhook wieder.',
    FAILING:
      'Wir haben diesen Webhook deaktiviert, weil fünf Tage lang jede Zustellung fehlgeschlagen ist. Beheben Sie den Fehler an Ihrem Endpunkt und aktivieren Sie den Webhook wieder.',
    CONSENT_ENDED:
      'Wir haben diesen Webhook deaktiviert, weil der Zugriff der Anwendung, die ihn eingerichtet hat, beendet ist. Er erhält keine Ereignisse, bis Sie ihn aktivieren.',
    other:
      'Wir haben diesen Webhook deaktiviert. Beheben Sie den Fehler an Ihrem Endpunkt und aktivieren Sie den Webhook wieder.',
  },
  created: 'Erstellt',
  id: 'Webhook-ID',
  createdTitle: 'Ihr neuer Webhook',
  secretLead:
    'Kopieren Sie den Signaturschlüssel jetzt und bewahren Sie ihn sicher auf. Ihr System braucht ihn, um die Signatur jeder Anfrage zu prüfen. Sie können ihn später nicht mehr anzeigen.',
  secret: 'Signaturschlüssel',
  secretStored: 'Ich habe den Schlüssel gespeichert',
  detailTitle: 'Webhook',
  ping: 'Testereignis senden',
  enable: 'Aktivieren',
  disable: 'Deaktivieren',
  settings: 'Einstellungen',
  save: 'Änderungen speichern',
  rotate: 'Signaturschlüssel erneuern',
  rotateLead:
    'Erstellt einen neuen Signaturschlüssel. Während der Übergangszeit werden Anfragen mit beiden Schlüsseln signiert, damit Ihr System ohne Verluste umstellen kann.',
  overlapHours: 'Übergangszeit in Stunden',
  overlapHoursHint:
    '0 bis 24. Wählen Sie 0, wenn der Schlüssel bekannt geworden ist: Der alte gilt dann sofort nicht mehr.',
  rotateSubmit: 'Neuen Schlüssel erstellen',
  rotatedTitle: 'Ihr neuer Signaturschlüssel',
  oldSecretUntil: (until: string) => `Anfragen werden bis ${until} auch mit dem alten Schlüssel signiert.`,
  oldSecretEnded: 'Der alte Schlüssel wird nicht mehr verwendet.',
  remove: 'Webhook löschen',
  removeTitle: 'Diesen Webhook löschen?',
  removeLead:
    'Er erhält nichts mehr, ausstehende Zustellungen werden verworfen, und Sie können ihn nicht wiederherstellen. Wenn Sie ihn nur pausieren möchten, deaktivieren Sie ihn.',
  removeSubmit: 'Endgültig löschen',
  keep: 'Webhook behalten',
} satisfies typeof en.webhooks;

export const deliveries = {
  title: 'Zustellungen',
  lead: 'Die Zustellungen der letzten 90 Tage, die neuesten zuerst.',
  event: 'Ereignis',
  states: {
    due: 'Ausstehend',
    sending: 'Wird gesendet',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
    discarded: 'Verworfen',
  },
  letter: 'Brief',
  ofLetter: (letterId: string) => `Nur Zustellungen zu Brief ${letterId}.`,
  allLetters: 'Alle Briefe anzeigen',
  none: 'Keine Zustellungen',
  noneHint:
    'Zustellungen erscheinen, sobald ein Ereignis eintritt. Senden Sie ein Testereignis, um Ihren Endpunkt zu prüfen.',
  attempts: (count: number) => plural(count, { one: '# Versuch', other: '# Versuche' }),
  attempt: (number: number) => `Versuch ${number}`,
  notTried: 'Noch kein Versuch',
  next: (at: string) => `Nächster Versuch: ${at}`,
  resentManually: 'Manuell erneut gesendet, mit einem einzigen Versuch.',
  answered: (status: number) => `Antwort ${status}`,
  errorClasses: {
    dns: 'Hostname nicht gefunden',
    blocked_ip: 'Die Adresse ist nicht öffentlich',
    connect: 'Keine Verbindung zu Ihrem Endpunkt',
    tls: 'Das Zertifikat Ihres Endpunkts ist ungültig',
    timeout: 'Ihr Endpunkt hat nicht rechtzeitig geantwortet',
    http: 'Die Antwort war kein gültiges HTTP',
    other: 'Der Versuch wurde abgebrochen',
  },
  reply: 'Anfang der Antwort',
  redeliver: 'Erneut senden',
  redeliverOf: (deliveryId: string) => `Zustellung ${deliveryId} erneut senden`,
  redeliverFailed: 'Fehlgeschlagene Zustellungen erneut senden',
  redeliverFailedLead:
    'Alle Zustellungen, die endgültig fehlgeschlagen sind oder verworfen wurden, während der Webhook deaktiviert war. Für jede gibt es einen Versuch.',
  since: 'Erstellt in',
  sinceOptions: {
    hour: 'der letzten Stunde',
    day: 'den letzten 24 Stunden',
    week: 'den letzten 7 Tagen',
    fortnight: 'den letzten 14 Tagen',
  },
  redeliverFailedSubmit: 'Erneut senden',
} satisfies typeof en.deliveries;

export const jobSecrets = {
  lead: 'Ein Brief kann eine eigene Webhook-Adresse haben (webhookUrl). Anfragen an diese Adresse signieren wir mit diesem Schlüssel Ihrer Organisation. Für jeden Modus gibt es einen eigenen.',
  reveal: 'Schlüssel anzeigen',
  revealOf: { test: 'Schlüssel anzeigen (Test)', live: 'Schlüssel anzeigen (Live)' },
  hidden:
    'Der Schlüssel wird auf einer eigenen Seite angezeigt. Achten Sie darauf, dass niemand Ihren Bildschirm sieht.',
  shownTitle: { test: 'Schlüssel der Brief-Webhooks (Test)', live: 'Schlüssel der Brief-Webhooks (Live)' },
  shownLead: 'Bewahren Sie diesen Schlüssel sicher auf. Wer ihn hat, kann sich als uns ausgeben.',
  back: 'Schlüssel ausblenden',
  ofMode: { test: 'Testbriefe', live: 'Echte Briefe' },
} satisfies typeof en.jobSecrets;
