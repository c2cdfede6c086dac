import type * as en from './texts.en.ts';

export const home = {
  title: 'Briefpost aus Ihren eigenen Systemen',
  lead: 'Versenden Sie Briefe über eine API: auf den Cent genau berechnet, gedruckt, aufgegeben und Schritt für Schritt verfolgt.',
  signIn: 'In Ihrem Konto anmelden',
  toAccount: 'Zu Ihrem Konto',
  docs: 'API-Dokumentation lesen',
  points: {
    price: {
      title: 'Der Preis steht vorher fest',
      text: 'Für Angebot und Brief gilt derselbe Tarif, und Ihr Guthaben weist jeden Cent aus.',
    },
    proof: {
      title: 'Jeder Schritt nachvollziehbar',
      text: 'Gedruckt, aufgegeben, zugestellt: Signierte Webhooks melden es Ihren Systemen sofort.',
    },
    sandbox: {
      title: 'Kostenlos testen',
      text: 'Testschlüssel versenden die gleichen Briefe mit Spielgeld. Gedruckt wird nie etwas.',
    },
  },
  forPrograms: 'Basis-URL der API:',
} satisfies typeof en.home;
