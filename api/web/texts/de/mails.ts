import type { Texts } from '../en.ts';

export const mails = {
  signature: 'Bluejay',
  passwordReset: {
    subject: 'Ein neues Passwort für Bluejay',
    text: (link: string) =>
      `Guten Tag,\n\njemand, hoffentlich Sie, hat ein neues Passwort für Ihr Bluejay-Konto angefordert. Öffnen Sie innerhalb einer Stunde diesen Link, um es zu wählen:\n\n${link}\n\nEr gilt nur einmal. Waren Sie es nicht, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.`,
  },
  passwordChanged: {
    subject: 'Ihr Bluejay-Passwort wurde geändert',
    text: (link: string) =>
      `Guten Tag,\n\ndas Passwort Ihres Bluejay-Kontos wurde soeben geändert, und alle anderen Sitzungen wurden beendet.\n\nWaren Sie es nicht, fordern Sie sofort ein neues Passwort an und benachrichtigen Sie Ihren Administrator:\n\n${link}`,
  },
} satisfies Texts['mails'];
