import type * as en from './texts.en.ts';

export const applications = {
  lead: 'Diese Anwendungen dürfen für Ihre Organisation handeln. Die Briefe, die sie versenden, werden aus Ihrem Guthaben bezahlt.',
  existing: 'Anwendungen mit Zugriff',
  none: 'Keine Anwendung hat Zugriff',
  noneHint: 'Eine Anwendung, die Zugriff braucht, leitet Sie auf eine Seite, auf der Sie ihn erlauben oder ablehnen.',
  name: 'Anwendung',
  scopes: 'Rechte',
  since: 'Seit',
  lastUsed: 'Zuletzt verwendet',
  revoke: 'Widerrufen',
  revokeOf: (name: string) => `Zugriff von ${name} widerrufen`,
  atOnce:
    'Ein Widerruf beendet sofort alle Zugriffe einer Anwendung, auch wenn jemand anderes bei Ihnen sie erlaubt hat.',
} satisfies typeof en.applications;
