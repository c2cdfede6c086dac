import type { Texts } from '../en.ts';

export const applications = {
  title: 'Anwendungen',
  lead: 'Anwendungen, die für Ihre Organisation handeln dürfen. Was sie versenden, wird aus Ihrem Guthaben bezahlt.',
  existing: 'Anwendungen mit Zugriff',
  none: 'Keine Anwendung hat Zugriff',
  noneHint:
    'Eine Anwendung, die Zugriff möchte, führt Sie auf eine Seite hier, auf der Sie ihn erlauben oder ablehnen.',
  name: 'Anwendung',
  mode: 'Modus',
  scopes: 'Rechte',
  since: 'Seit',
  lastUsed: 'Zuletzt benutzt',
  revoke: 'Widerrufen',
  revokeOf: (name: string) => `Den Zugriff von ${name} widerrufen`,
  atOnce: 'Ein Widerruf beendet sofort jeden Zugriff einer Anwendung, wer auch immer bei Ihnen ihn erlaubt hat.',
} satisfies Texts['applications'];
