import type * as en from './texts.en.ts';

export const letters = {
  lead: 'Alle Briefe Ihrer Organisation, die neuesten zuerst.',
  clear: 'Filter zurücksetzen',
  zone: 'Ziel',
  externalId: 'Ihre eigene ID',
  from: 'Erstellt ab',
  to: 'Erstellt bis',
  letter: 'Brief',
  recipients: 'Empfänger',
  price: 'Preis',
  created: 'Erstellt',
  none: 'Noch keine Briefe',
  noneHint: 'Hier erscheinen die Briefe, die Sie oder Ihre Systeme in diesem Modus versenden.',
  noMatch: 'Keine passenden Briefe gefunden',
  noMatchHint: 'Wählen Sie einen größeren Zeitraum oder setzen Sie die Filter zurück.',
} satisfies typeof en.letters;
