import type { Texts } from '../en.ts';

export const consent = {
  title: 'Zugriff erlauben',
  heading: (application: string) => `${application} bittet um Zugriff`,
  lead: (email: string) =>
    `Sie sind angemeldet als ${email}. Wenn Sie es erlauben, darf diese Anwendung für Ihre Organisation:`,
  pays: {
    test: 'Die Anwendung arbeitet im Testmodus: Was sie versendet, wird aus Ihrem Test-Guthaben bezahlt, und nichts wird gedruckt.',
    live: 'Was sie versendet, sind echte Briefe, bezahlt aus Ihrem Live-Guthaben.',
  },
  leadsTo: (host: string) => `Danach geht es zurück zu ${host}.`,
  takeBack: 'Sie können das jederzeit in Ihrem Konto zurücknehmen.',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  broken: {
    title: 'Diese Anwendung kann nicht um Zugriff bitten',
    client_id: 'Der Link, der Sie hierher geführt hat, nennt keine Anwendung, die wir kennen.',
    redirect_uri:
      'Der Link, der Sie hierher geführt hat, würde Sie zu einer Adresse zurückschicken, die die Anwendung nicht hat eintragen lassen.',
    advice: 'Es wurde nichts erlaubt. Gehen Sie zurück und sagen Sie es den Machern der Anwendung.',
  },
} satisfies Texts['consent'];
