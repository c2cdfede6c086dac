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
  bulkPaused: {
    subject(mode: string): string;
    text(values: { reason: PauseReason; sent: string; letters: string; mode: string; link: string }): string;
  };
};

type PauseReason = 'INSUFFICIENT_FUNDS' | 'PRICE_CHANGED' | 'LIMIT_REACHED' | 'CONSENT_ENDED';

const pausedBecause: Record<Language, Record<PauseReason, string>> = {
  en: {
    INSUFFICIENT_FUNDS: 'the balance of the wallet does not cover the next letters',
    PRICE_CHANGED: 'the price of a letter has changed since you confirmed it',
    LIMIT_REACHED: 'the letters would exceed the storage of your organization',
    CONSENT_ENDED: 'the access of the application that sent it has ended',
  },
  fr: {
    INSUFFICIENT_FUNDS: 'le solde du portefeuille ne couvre pas les lettres suivantes',
    PRICE_CHANGED: "le prix d'une lettre a changé depuis votre confirmation",
    LIMIT_REACHED: "les lettres dépasseraient l'espace de stockage de votre organisation",
    CONSENT_ENDED: "l'accès de l'application qui l'envoyait a pris fin",
  },
  nl: {
    INSUFFICIENT_FUNDS: 'het saldo van de portemonnee niet volstaat voor de volgende brieven',
    PRICE_CHANGED: 'de prijs van een brief veranderd is sinds uw bevestiging',
    LIMIT_REACHED: 'de brieven de opslag van uw organisatie zouden overschrijden',
    CONSENT_ENDED: 'de toegang van de toepassing die ze verstuurde, is beëindigd',
  },
  de: {
    INSUFFICIENT_FUNDS: 'das Guthaben für die nächsten Briefe nicht ausreicht',
    PRICE_CHANGED: 'sich der Preis eines Briefs seit Ihrer Bestätigung geändert hat',
    LIMIT_REACHED: 'die Briefe den Speicher Ihrer Organisation überschreiten würden',
    CONSENT_ENDED: 'der Zugriff der Anwendung, die sie gesendet hat, beendet ist',
  },
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
    bulkPaused: {
      subject: (mode) => `Sending to your list is paused (${mode})`,
      text: ({ reason, sent, letters, mode, link }) =>
        `Hello,\n\nsending to your list (${mode}) is paused, because ${pausedBecause.en[reason]}. Letters sent: ${sent} of ${letters}. The rest waits, and nothing is lost.\n\nResume or cancel it here:\n\n${link}`,
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
    bulkPaused: {
      subject: (mode) => `L'envoi à votre liste est en pause (${mode})`,
      text: ({ reason, sent, letters, mode, link }) =>
        `Bonjour,\n\nl'envoi à votre liste (${mode}) est en pause, parce que ${pausedBecause.fr[reason]}. Lettres parties : ${sent} sur ${letters}. Les autres attendent, rien n'est perdu.\n\nReprenez-le ou annulez-le ici :\n\n${link}`,
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
    bulkPaused: {
      subject: (mode) => `Het versturen van uw lijst is gepauzeerd (${mode})`,
      text: ({ reason, sent, letters, mode, link }) =>
        `Hallo,\n\nhet versturen van uw lijst (${mode}) is gepauzeerd, omdat ${pausedBecause.nl[reason]}. Verstuurde brieven: ${sent} van ${letters}. De rest wacht, er gaat niets verloren.\n\nHervat of annuleer het hier:\n\n${link}`,
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
    bulkPaused: {
      subject: (mode) => `Der Versand an Ihre Liste ist angehalten (${mode})`,
      text: ({ reason, sent, letters, mode, link }) =>
        `Guten Tag,\n\nder Versand an Ihre Liste (${mode}) ist angehalten, weil ${pausedBecause.de[reason]}. Versendete Briefe: ${sent} von ${letters}. Die übrigen warten, es geht nichts verloren.\n\nHier setzen Sie ihn fort oder brechen ihn ab:\n\n${link}`,
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
  if (kind === 'BULK_PAUSED') {
    const { subject, text } = words.bulkPaused;
    const count = (value: unknown) => new Intl.NumberFormat(words.locale).format(Number(value));
    const about = {
      reason: data.reason as PauseReason,
      sent: count(data.sent),
      letters: count(data.letters),
    };
    const values = { ...about, mode: modeWord, link: `${account}/bulk/${subjectId}` };
    return { kind: 'bulk-paused', to, subject: subject(modeWord), text: signed(text(values)) };
  }
  const money = (cents: unknown) =>
    new Intl.NumberFormat(words.locale, { style: 'currency', currency }).format(Number(cents) / 100);
  const { subject, text } = words.lowBalance;
  const link = `${account}/wallet?mode=${mode}`;
  const values = { balance: money(data.balanceCents), threshold: money(data.lowBalanceCents), mode: modeWord, link };
  return { kind: 'low-balance', to, subject: subject(modeWord), text: signed(text(values)) };
}

const signed = (text: string) => `${text}\n\nBluejay\n`;
