import { pluralOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

export { letters } from '#api/web/account/letters/texts.de.ts';
export { reports } from '#api/web/account/reports/texts.de.ts';

const plural = pluralOf('de');

export const overview = {
  wallets: 'Guthaben',
  balance: { live: 'Live-Guthaben', test: 'Testguthaben' },
  attention: 'Handlungsbedarf',
  lowBalance: (balance: string) =>
    `Ihr Live-Guthaben beträgt nur noch ${balance}. Laden Sie es rechtzeitig auf: Sobald es aufgebraucht ist, werden Briefe abgelehnt.`,
  disabledWebhooks: (count: number, mode: string) =>
    `${plural(count, { one: '# Webhook ist deaktiviert und erhält keine Ereignisse', other: '# Webhooks sind deaktiviert und erhalten keine Ereignisse' })} (${mode}).`,
  failedLetters: (count: number, mode: string) =>
    `${plural(count, { one: '# Brief ist', other: '# Briefe sind' })} in den letzten sieben Tagen fehlgeschlagen (${mode}). Der Preis wurde erstattet.`,
  recent: 'Letzte Briefe',
  allLetters: 'Alle Briefe',
  noLetters: 'Noch keine Briefe',
  noLettersHint:
    'Senden Sie den ersten hier, oder erstellen Sie einen API-Schlüssel und senden Sie ihn aus Ihrem eigenen System. Testbriefe kosten nichts.',
  makeKey: 'API-Schlüssel erstellen',
  letter: 'Brief',
  recipient: 'Empfänger',
  price: 'Preis',
  created: 'Erstellt',
} satisfies typeof en.overview;
