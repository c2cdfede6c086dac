import type { Texts } from '../en.ts';

export const home = {
  title: 'Briefpost aus Ihren eigenen Systemen',
  lead: 'Versenden Sie Briefe über eine API: auf den Cent berechnet, gedruckt, aufgegeben und Schritt für Schritt verfolgt.',
  signIn: 'Im Konto anmelden',
  toAccount: 'Zu Ihrem Konto',
  docs: 'Die API-Dokumentation lesen',
  points: {
    price: {
      title: 'Ein Preis vor jedem Brief',
      text: 'Angebot und Brief folgen demselben Tarif. Ihr Guthaben zeigt jeden Cent.',
    },
    proof: {
      title: 'Ein Nachweis für jeden Schritt',
      text: 'Gedruckt, aufgegeben, zugestellt: Signierte Webhooks melden es Ihren Systemen sofort.',
    },
    sandbox: {
      title: 'Eine Sandbox, die sich echt verhält',
      text: 'Testschlüssel versenden die gleichen Briefe mit Spielgeld, und gedruckt wird nie etwas.',
    },
  },
  forPrograms: 'Programme versenden Briefe über die API unter',
} satisfies Texts['home'];
