import type * as en from './texts.en.ts';

export { apiKeys } from '#api/web/account/api-keys/texts.de.ts';

export const consent = {
  title: 'Zugriff erlauben',
  heading: (application: string) => `${application} bittet um Zugriff`,
  lead: (email: string, organization: string) =>
    `Sie sind als ${email} angemeldet. Wenn Sie den Zugriff erlauben, darf diese Anwendung für ${organization}:`,
  pays: {
    test: 'Diese Anwendung arbeitet im Testmodus. Die Briefe, die sie versendet, werden aus Ihrem Testguthaben bezahlt, und es wird nichts gedruckt.',
    live: 'Diese Anwendung versendet echte Briefe, die aus Ihrem Live-Guthaben bezahlt werden.',
  },
  unverified: (host: string) =>
    `Diese Anwendung gibt an, von ${host} zu stammen. Wir haben sie nicht geprüft. Fahren Sie nur fort, wenn Sie dies selbst gestartet haben.`,
  describedAt: 'Die Anwendung hat ihren Namen selbst gewählt. Ihre Beschreibung stammt von dieser Adresse:',
  onDevice: 'Die Anwendung läuft auf Ihrem Gerät. Ein anderes Programm dort könnte sich für sie ausgeben.',
  leadsTo: (host: string) => `Danach kehren Sie zu ${host} zurück.`,
  revokeHint: 'Sie können den Zugriff jederzeit in Ihrem Konto widerrufen.',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  broken: {
    title: 'Diese Anwendung kann nicht um Zugriff bitten',
    client_id: 'Der Link, über den Sie gekommen sind, nennt eine Anwendung, die wir nicht kennen.',
    redirect_uri:
      'Der Link, über den Sie gekommen sind, führt zu einer Adresse zurück, die die Anwendung nicht registriert hat.',
    unreachable:
      'Die Beschreibung der Anwendung konnte nicht abgerufen werden. Versuchen Sie es in einer Minute noch einmal.',
    advice: 'Sie haben nichts erlaubt. Gehen Sie zurück und wenden Sie sich an den Entwickler der Anwendung.',
    returnTo: (host: string) => `Zurück zu ${host}`,
  },
} satisfies typeof en.consent;
