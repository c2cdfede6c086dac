import { pluralOf } from '../../format.ts';
import type { Texts } from '../en.ts';

const plural = pluralOf('de');

export const overview = {
  title: 'Übersicht',
  wallets: 'Guthaben',
  balance: { live: 'Live-Guthaben', test: 'Testguthaben' },
  balanceHint: { live: 'Bezahlt echte Briefe', test: 'Spielgeld zum Ausprobieren' },
  attention: 'Braucht Ihre Aufmerksamkeit',
  lowBalance: (balance: string) =>
    `Das Live-Guthaben beträgt nur noch ${balance}. Ist es aufgebraucht, werden Briefe abgelehnt.`,
  disabledWebhooks: (count: number, mode: string) =>
    `${plural(count, { one: '# Webhook ist abgeschaltet', other: '# Webhooks sind abgeschaltet' })} (${mode}): Die Ereignisse werden nicht zugestellt.`,
  failedLetters: (count: number, mode: string) =>
    `${plural(count, { one: '# Brief ist gescheitert', other: '# Briefe sind gescheitert' })} in den letzten sieben Tagen (${mode}). Der Preis wurde erstattet.`,
  recent: 'Letzte Briefe',
  allLetters: 'Alle Briefe',
  noLetters: 'Noch keine Briefe',
  noLettersHint:
    'Erstellen Sie einen API-Schlüssel und versenden Sie den ersten Brief aus Ihrem eigenen System. Ein Testschlüssel kostet nichts.',
  makeKey: 'API-Schlüssel erstellen',
  letter: 'Brief',
  recipient: 'Empfänger',
  status: 'Status',
  mode: 'Modus',
  price: 'Preis',
  created: 'Erstellt',
} satisfies Texts['overview'];
