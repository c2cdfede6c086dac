import { type Language, languages } from '../languages.ts';
import type { Mode } from '../modes.ts';
import { currency } from '../money.ts';
import type { UserRecord } from '../organizations/user.model.ts';
import type { Mail } from '../platform/process/mailer.ts';
import type { NoticeRecord } from './notice.model.ts';

/** The texts of a notice mail, in plain text. */
type NoticeTexts = {
  locale: string;
  modes: Record<Mode, string>;
  webhookDisabled: {
    subject: string;
    text(values: { url: string; mode: string; link: string; isGone: boolean }): string;
  };
  lowBalance: {
    subject(mode: string): string;
    text(values: { balance: string; threshold: string; mode: string; link: string }): string;
  };
};

const texts: Record<Language, NoticeTexts> = {
  en: {
    locale: 'en-GB',
    modes: { test: 'test', live: 'live' },
    webhookDisabled: {
      subject: 'A webhook of yours is disabled',
      text: ({ url, mode, link, isGone }) =>
        `Hello,\n\nwe have disabled this webhook (${mode}), because ${isGone ? 'its receiver answered 410 Gone' : 'nothing came through for five days'}:\n\n${url}\n\nEvents are not sent to it any more. Put the receiver right, enable the webhook, and have sent again what failed meanwhile:\n\n${link}`,
    },
    lowBalance: {
      subject: (mode) => `The balance of your ${mode} wallet is low`,
      text: ({ balance, threshold, mode, link }) =>
        `Hello,\n\nyour ${mode} wallet holds ${balance}, less than the ${threshold} that you have set as a threshold. Letters are refused once it cannot pay for them.\n\nHow to top it up:\n\n${link}`,
    },
  },
  fr: {
    locale: 'fr-BE',
    modes: { test: 'test', live: 'réel' },
    webhookDisabled: {
      subject: 'Un de vos webhooks est désactivé',
      text: ({ url, mode, link, isGone }) =>
        `Bonjour,\n\nnous avons désactivé ce webhook (${mode}), parce que ${isGone ? 'son récepteur a répondu 410 Gone' : "rien n'est passé pendant cinq jours"} :\n\n${url}\n\nPlus aucun événement ne lui est envoyé. Corrigez le récepteur, réactivez le webhook et faites renvoyer ce qui a échoué entre-temps :\n\n${link}`,
    },
    lowBalance: {
      subject: (mode) => `Le solde de votre portefeuille (${mode}) est bas`,
      text: ({ balance, threshold, mode, link }) =>
        `Bonjour,\n\nvotre portefeuille (${mode}) contient ${balance}, moins que le seuil de ${threshold} que vous avez fixé. Les lettres sont refusées dès qu'il ne peut plus les payer.\n\nComment l'approvisionner :\n\n${link}`,
    },
  },
  nl: {
    locale: 'nl-BE',
    modes: { test: 'test', live: 'live' },
    webhookDisabled: {
      subject: 'Een van uw webhooks is uitgeschakeld',
      text: ({ url, mode, link, isGone }) =>
        `Hallo,\n\nwij hebben deze webhook (${mode}) uitgeschakeld, omdat ${isGone ? 'de ontvanger 410 Gone antwoordde' : 'er vijf dagen lang niets doorkwam'}:\n\n${url}\n\nEr worden geen gebeurtenissen meer naartoe gestuurd. Breng de ontvanger in orde, schakel de webhook weer in en laat opnieuw versturen wat intussen mislukt is:\n\n${link}`,
    },
    lowBalance: {
      subject: (mode) => `Het saldo van uw portemonnee (${mode}) is laag`,
      text: ({ balance, threshold, mode, link }) =>
        `Hallo,\n\nin uw portemonnee (${mode}) zit ${balance}, minder dan de drempel van ${threshold} die u hebt ingesteld. Brieven worden geweigerd zodra ze niet meer betaald kunnen worden.\n\nZo vult u ze aan:\n\n${link}`,
    },
  },
  de: {
    locale: 'de-BE',
    modes: { test: 'Test', live: 'Live' },
    webhookDisabled: {
      subject: 'Einer Ihrer Webhooks ist abgeschaltet',
      text: ({ url, mode, link, isGone }) =>
        `Guten Tag,\n\nwir haben diesen Webhook (${mode}) abgeschaltet, weil ${isGone ? 'sein Empfänger mit 410 Gone geantwortet hat' : 'fünf Tage lang nichts durchkam'}:\n\n${url}\n\nEs werden keine Ereignisse mehr an ihn gesendet. Bringen Sie den Empfänger in Ordnung, schalten Sie den Webhook wieder ein und lassen Sie noch einmal senden, was inzwischen gescheitert ist:\n\n${link}`,
    },
    lowBalance: {
      subject: (mode) => `Ihr Guthaben (${mode}) ist niedrig`,
      text: ({ balance, threshold, mode, link }) =>
        `Guten Tag,\n\nIhr Guthaben (${mode}) beträgt ${balance} und liegt damit unter der Schwelle von ${threshold}, die Sie festgelegt haben. Briefe werden abgelehnt, sobald es sie nicht mehr bezahlen kann.\n\nSo laden Sie es auf:\n\n${link}`,
    },
  },
};

/** Returns a notice as a mail to one user, in the user's language, with a link to the page where it can be fixed. */
export function noticeMail(
  { kind, mode, subjectId, data }: Pick<NoticeRecord, 'kind' | 'mode' | 'subjectId' | 'data'>,
  { email: to, language: wanted }: Pick<UserRecord, 'email' | 'language'>,
  authUrl: string,
): Mail {
  const language = wanted ?? languages[0];
  const words = texts[language];
  const account = `${authUrl}/${language}/account`;
  const modeWord = words.modes[mode];
  if (kind === 'WEBHOOK_DISABLED') {
    const { subject, text } = words.webhookDisabled;
    const link = `${account}/webhooks/${subjectId}`;
    const values = { url: String(data.url), mode: modeWord, link, isGone: data.reason === 'GONE' };
    return { kind: 'webhook-disabled', to, subject, text: signed(text(values)) };
  }
  const money = (cents: unknown) =>
    new Intl.NumberFormat(words.locale, { style: 'currency', currency }).format(Number(cents) / 100);
  const { subject, text } = words.lowBalance;
  const link = `${account}/wallet?mode=${mode}`;
  const values = { balance: money(data.balanceCents), threshold: money(data.lowBalanceCents), mode: modeWord, link };
  return { kind: 'low-balance', to, subject: subject(modeWord), text: signed(text(values)) };
}

const signed = (text: string) => `${text}\n\nBluejay\n`;
