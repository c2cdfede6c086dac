import type { Texts } from '#api/web/texts/en.ts';

/** The letters of a list before they are paid. */
export const bulkRows: Texts['bulkRows'] = {
  title: (row) => `Zeile ${row}`,
  samples: 'Briefe ansehen, bevor Sie bezahlen',
  samplesLead: 'Öffnen Sie eine Zeile, um ihren Brief so zu sehen, wie er gedruckt wird.',
  first: 'erste Zeile',
  longestAddress: 'längste Adresse',
  longestText: 'längster Text',
  warned: 'mit Warnung',
  seeAll: 'Alle Zeilen ansehen',
  countries: 'Nach Land und Versandart',
  country: 'Land',
  back: 'Zurück zur Liste',
  asPrinted: 'So wird er gedruckt',
  pdf: 'PDF öffnen',
  late: 'Dieser Brief wird noch vorbereitet. Die Seite aktualisiert sich von selbst.',
  notRendered:
    'Dieser Brief kann nicht vorbereitet werden: Das Dokument oder die Vorlage hat sich geändert. Laden Sie die Liste erneut hoch.',
  ways: 'Andere Zeilen',
  previous: 'Vorherige Zeile',
  next: 'Nächste Zeile',
  jump: 'Springen zu',
  warnedRows: 'Zeilen mit Warnungen',
  faulty: 'Diese Zeile wird erst versandt, wenn sie korrigiert ist',
  address: 'Adresse',
  sheets: 'Blätter',
  weight: 'Gewicht',
  grams: (grams) => `${grams} g`,
};
