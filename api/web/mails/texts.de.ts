import type * as en from './texts.en.ts';

export const mails = {
  signature: 'Bluejay',
  passwordReset: {
    subject: 'Setzen Sie Ihr Bluejay-Passwort zurück',
    text: (link: string) =>
      `Guten Tag,\n\nfür Ihr Bluejay-Konto wurde ein neues Passwort angefordert. Öffnen Sie innerhalb einer Stunde diesen Link, um es festzulegen:\n\n${link}\n\nDer Link funktioniert einmal. Wenn Sie kein neues Passwort angefordert haben, müssen Sie nichts tun. Ihr Passwort bleibt unverändert.`,
  },
  passwordChanged: {
    subject: 'Ihr Bluejay-Passwort wurde geändert',
    text: (link: string) =>
      `Guten Tag,\n\ndas Passwort Ihres Bluejay-Kontos wurde soeben geändert, und alle anderen Sitzungen wurden abgemeldet.\n\nWenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und informieren Sie Ihren Administrator:\n\n${link}`,
  },
  failedSignIns: {
    subject: 'Fehlgeschlagene Anmeldungen bei Ihrem Bluejay-Konto',
    text: ({ attempts, link }: { attempts: number; link: string }) =>
      `Guten Tag,\n\nheute gab es ${attempts} Anmeldeversuche mit falschem Passwort bei Ihrem Bluejay-Konto.\n\nWenn Sie das waren, wählen Sie über den folgenden Link ein neues Passwort. Wenn nicht, hat Ihr Passwort das Konto geschützt und Sie müssen nichts tun.\n\nNach 100 falschen Passwörtern an einem Tag können Sie sich nur noch mit Browsern anmelden, die Sie schon verwendet haben. Dieser Link funktioniert immer:\n\n${link}`,
  },
} satisfies typeof en.mails;
