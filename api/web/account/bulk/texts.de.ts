import type { Texts } from '#api/web/texts/en.ts';

export const bulk: Texts['bulk'] = {
  title: 'Briefserien',
  lead: 'Senden Sie ein Dokument an alle auf einer Liste, oder ein ZIP mit PDFs und einem Verzeichnis.',
  create: 'Neue Briefserie',
  list: 'Briefserien',
  none: 'Noch keine Briefserien',
  noneHint:
    'Laden Sie eine Liste und ein Dokument hoch. Jede Zeile wird geprüft und berechnet, bevor etwas versendet wird.',
  file: 'Liste',
  state: 'Zustand',
  letters: 'Briefe',
  price: 'Preis',
  created: 'Angelegt',
  mode: 'Modus',
  modeHint: 'Testbriefe sind kostenlos und werden nie gedruckt. Live-Briefe werden gedruckt, verschickt und bezahlt.',
  states: {
    validating: 'Wird geprüft',
    needs_mapping: 'Spalten fehlen',
    needs_attention: 'Zeilen zu korrigieren',
    ready: 'Versandbereit',
    sending: 'Wird versendet',
    paused: 'Angehalten',
    sent: 'Versendet',
    cancelled: 'Abgebrochen',
    failed: 'Nicht lesbar',
  },
  createTitle: 'Neue Briefserie',
  createLead:
    'Die erste Zeile der Liste benennt die Spalten: Name, Straße, Postleitzahl, Ort und Land, in beliebiger Reihenfolge.',
  listFile: 'Empfängerliste',
  listHint:
    'CSV oder XLSX mit höchstens 100.000 Zeilen, oder ein ZIP mit PDFs und einem Verzeichnis als CSV. Höchstens 100 MB.',
  document: 'Dokument',
  documentHint: 'Ein PDF, das jeder Brief enthält. Bei einem ZIP leer lassen.',
  template: 'Vorlage',
  templateHint:
    'Jede Zeile wird ein eigener Brief, und die Spalten füllen die Variablen. Wählen Sie ein Dokument oder eine Vorlage.',
  noTemplate: 'Keine Vorlage',
  service: 'Versandart',
  printing: 'Druck',
  color: 'In Farbe',
  check: 'Liste prüfen',
  checkHint: 'Noch wird nichts versendet oder bezahlt.',
  validating: 'Wir lesen Ihre Liste und prüfen jede Zeile. Diese Seite aktualisiert sich von selbst.',
  failed: 'Diese Liste ist nicht verwendbar',
  tryAgain: 'Andere Liste hochladen',
  readAs: 'Was wir gelesen haben',
  format: 'Format',
  formats: {
    xlsx: 'XLSX',
    csv: (encoding, separator) => `CSV in ${encoding}, getrennt durch ${separator}`,
    zip: (encoding, separator) => `ZIP, Verzeichnis in ${encoding}, getrennt durch ${separator}`,
  },
  separators: { ';': 'Semikolons', ',': 'Kommas', '\t': 'Tabulatoren' },
  rows: 'Zeilen',
  valid: 'Ohne Fehler',
  faulty: 'Mit Fehlern',
  warned: 'Mit Warnungen',
  duplicates: 'Gleicher Brief wie in einer früheren Zeile',
  duplicatesHint: 'Sie werden auch versendet. Entfernen Sie sie aus der Liste, wenn das ein Versehen ist.',
  columns: 'Spalten',
  columnsLead: 'Prüfen Sie, ob jeder Teil der Adresse die richtige Spalte hat.',
  missing: (fields) => `Keine Spalte gefunden für: ${fields}. Wählen Sie eine.`,
  noColumn: 'Keine',
  secondColumn: (field) => `${field}, Fortsetzung`,
  fields: {
    name: 'Name',
    line1: 'Straße und Hausnummer',
    line2: 'Zweite Adresszeile',
    zip: 'Postleitzahl',
    city: 'Ort',
    country: 'Land',
    reference: 'Ihr Zeichen',
    file: 'Name des PDF',
  },
  checkAgain: 'Mit diesen Spalten erneut prüfen',
  faults: 'Zeilen zu korrigieren',
  faultsLead: (shown, all) =>
    `Die ersten ${shown} von ${all} fehlerhaften Zeilen. Laden Sie die Liste mit allen Fehlern herunter, korrigieren Sie sie und laden Sie sie wieder hoch.`,
  warnings: 'Zeilen zu prüfen',
  warningsLead: (shown, all) =>
    `Die ersten ${shown} von ${all} Zeilen mit Warnungen. Sie werden so versendet; korrigieren Sie die Liste, wenn Sie das nicht meinen.`,
  downloadFaults: 'Liste mit Fehlern herunterladen (CSV)',
  row: 'Zeile',
  ofRow: 'Ganze Zeile',
  priceTitle: 'Preis',
  zone: 'Ziel',
  pages: 'Seiten',
  unit: 'Je Brief',
  sum: 'Summe',
  total: 'Gesamt, einschließlich MwSt.',
  balance: 'Guthaben',
  balanceAfter: 'Guthaben danach',
  tooLow:
    'Das Guthaben reicht nicht für alle Briefe. Der Versand hält an, wenn es aufgebraucht ist; nach einer Aufladung setzen Sie ihn fort.',
  send: (letters, price) => `${letters} für ${price} versenden`,
  sendSome: (letters, price) => `${letters} ohne Fehler für ${price} versenden`,
  letterCount: { one: '# Brief', other: '# Briefe' },
  progress: 'Fortschritt',
  progressOf: (sent, all) => `${sent} von ${all} Briefen sind angelegt.`,
  spent: 'Bisher bezahlt',
  refused: 'Abgelehnt',
  cancelledLetters: 'Stornierte Briefe',
  notCancelled: 'Zu spät zum Stornieren',
  pauses: {
    REQUESTED: 'Angehalten. Bereits angelegte Briefe bleiben, wie sie sind.',
    INSUFFICIENT_FUNDS: 'Das Guthaben reicht nicht für die nächsten Briefe. Laden Sie es auf und setzen Sie dann fort.',
    PRICE_CHANGED:
      'Der Preis eines Briefs hat sich seit Ihrer Bestätigung geändert. Setzen Sie fort, um den neuen Preis anzunehmen.',
    LIMIT_REACHED:
      'Die Briefe würden den Speicher Ihrer Organisation überschreiten. Setzen Sie fort, sobald frühere Briefe gedruckt sind.',
    CONSENT_ENDED:
      'Der Zugriff der Anwendung, die diese Briefe gesendet hat, ist beendet. Setzen Sie fort, um die übrigen selbst zu senden.',
  },
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  acceptPrice: 'Zum neuen Preis fortsetzen',
  cancel: 'Briefserie abbrechen',
  cancelTitle: 'Diese Briefserie abbrechen?',
  cancelLead:
    'Es wird kein weiterer Brief angelegt. Briefe, die noch nicht im Druck sind, werden storniert und erstattet.',
  keep: 'Behalten',
  downloadResults: 'Ergebnisse herunterladen (CSV)',
  seeLetters: 'Briefe ansehen',
  rowsRemoved: 'Die Zeilen dieser Briefserie wurden 30 Tage nach ihrem Ende gelöscht.',
  rowFaults: {
    missing: () => 'Leer, doch jeder Brief braucht das. Ergänzen Sie es.',
    too_long: (most) => `Zu lang: höchstens ${most} Zeichen. Kürzen Sie den Text.`,
    control_characters: () =>
      'Enthält Zeilenumbrüche, Tabulatoren oder unsichtbare Zeichen. Schreiben Sie alles in eine Zeile.',
    formula: () => 'Enthält eine Formel. Ersetzen Sie sie durch ihren Wert.',
    garbled: () => 'In der falschen Kodierung gespeichert. Speichern Sie das Original als CSV (UTF-8).',
    unknown_country: () => 'Unbekanntes Land. Nehmen Sie einen Code wie BE.',
    not_national: () =>
      'Geht ins Ausland, diese Briefserie ist aber für Belgien. Entfernen Sie die Zeile, oder erstellen Sie eine Briefserie ohne Ziel.',
    not_international: () =>
      'Geht nach Belgien, diese Briefserie ist aber für das Ausland. Entfernen Sie die Zeile, oder erstellen Sie eine Briefserie ohne Ziel.',
    belgian_zip: () => 'Eine belgische Postleitzahl hat vier Ziffern, 1000 bis 9999. Korrigieren Sie sie.',
    lost_zero: (digits) =>
      `Braucht ${digits} Ziffern, und Tabellenprogramme lassen Nullen am Anfang weg. Formatieren Sie die Spalte als Text, und ergänzen Sie die Postleitzahl.`,
    cell_error: () =>
      'Ein Fehler oder eine Formel ohne gespeichertes Ergebnis. Öffnen Sie die Liste im Tabellenprogramm, korrigieren Sie die Formel und speichern Sie neu.',
    scientific_notation: () =>
      'Zu wissenschaftlicher Schreibweise gekürzt, dabei gingen Ziffern verloren. Formatieren Sie die Spalte als Text, und geben Sie die Zahl neu ein.',
    date_in_address: () =>
      "Ihr Tabellenprogramm hat aus dieser Nummer wohl ein Datum, eine Uhrzeit oder einen Bruch gemacht. Formatieren Sie die Spalte als Text, und geben Sie sie neu ein. Wenn sie stimmt, setzen Sie einen Apostroph davor: '3-Apr.",
    null_word: () =>
      "Bedeutet „kein Wert“ und wird als leere Zelle gelesen. Leeren Sie die Zelle, oder geben Sie den Wert ein. Ist das Wort gemeint, setzen Sie einen Apostroph davor: 'NULL.",
    decimals_removed: () =>
      "Ohne Nachkommastellen und Tausenderzeichen gedruckt. Prüfen Sie die Zahl, und formatieren Sie die Spalte als Text. Um sie zu behalten, setzen Sie einen Apostroph davor: '10115.0.",
    decimal_sign: () =>
      "Mit dem Dezimalzeichen der Sprache der Vorlage gedruckt. Prüfen Sie den Betrag. Ist es keine Zahl, setzen Sie einen Apostroph davor: '4.2.",
    many_digits: () =>
      'Mehr als 15 Ziffern: Tabellenprogramme ersetzen die weiteren durch Nullen. Vergleichen Sie mit dem Original, und formatieren Sie die Spalte als Text.',
    sandbox_outcome: () =>
      'Keine Adresse und kein bekannter Ausgang eines Testbriefs. Schreiben Sie eine Adresse oder einen Ausgang aus der Anleitung „Sandbox“.',
    invisible: (characters) => `Zeichen ${characters} ist unsichtbar und kann nicht gedruckt werden. Löschen Sie es.`,
    unprintable: (characters) =>
      `Unserer Schrift fehlen diese Zeichen: ${characters}. Schreiben Sie sie in lateinischen, griechischen oder kyrillischen Buchstaben.`,
    does_not_fit: () => 'Die Adresse ist zu lang für das Fenster des Umschlags. Kürzen Sie ihre Zeilen.',
    address_small: () =>
      'Die Adresse wird klein gedruckt. Kürzen Sie diese Zeile, oder schreiben Sie sie mit der Zeile darüber in eine Zeile.',
    repeated_reference: (row) => `Zeile ${row} hat dasselbe Zeichen. Geben Sie jeder Zeile ein eigenes.`,
    unknown_file: () => 'Das ZIP hat kein PDF dieses Namens. Korrigieren Sie den Namen samt Ordnern.',
    bad_document: () => 'Dieses PDF kann nicht gedruckt werden. Exportieren Sie es neu.',
    bad_variable: () =>
      'Die Vorlage nimmt diesen Wert nicht an: Er ist leer, zu lang oder nicht druckbar. Korrigieren Sie ihn; die Liste mit Fehlern sagt mehr.',
    same_letter: (row) =>
      `Gleicher Brief wie in Zeile ${row}. Beide werden versendet; entfernen Sie einen, wenn das ein Versehen ist.`,
    refused: (problem) => `Abgelehnt: ${problem}`,
  },
  tableFaults: {
    empty: () => 'Die Liste hat keine Zeilen unter der Kopfzeile.',
    too_many_rows: () => 'Die Liste hat mehr als 100.000 Zeilen. Teilen Sie sie auf.',
    too_many_columns: () => 'Die Liste hat mehr als 200 Spalten. Entfernen Sie, was kein Brief braucht.',
    row_too_long: (line) =>
      `Die Zeile ${line} ist länger als eine Million Zeichen. Prüfen Sie, ob jedes Anführungszeichen geschlossen ist.`,
    quote_not_closed: (line) => `In Zeile ${line} wird ein Anführungszeichen geöffnet und nie geschlossen.`,
    stray_quote: (line) =>
      `Zeile ${line} hat ein Anführungszeichen mitten in einer Zelle. Setzen Sie die Zelle in Anführungszeichen und verdoppeln Sie die darin.`,
    nul_bytes: (line) => `Zeile ${line} enthält NUL-Bytes. Speichern Sie die Liste als CSV (UTF-8) oder XLSX.`,
    mixed_encodings: (line) =>
      `Die Liste mischt UTF-8 und Windows-1252, siehe Zeile ${line}. Speichern Sie alles als CSV (UTF-8).`,
    not_a_table: () => 'Das ist keine CSV-, XLSX- oder ZIP-Datei.',
    old_excel: () => 'Das ist eine alte oder geschützte Excel-Datei. Speichern Sie sie als XLSX ohne Passwort.',
    damaged_xlsx: () => 'Die XLSX-Datei ist beschädigt oder leer. Öffnen und speichern Sie sie neu.',
    damaged_zip: () => 'Das ZIP ist beschädigt oder verschlüsselt. Erstellen Sie es neu, ohne Passwort.',
    storage_full: () =>
      'Die Dokumente im ZIP brauchen mehr Speicherplatz, als Sie noch haben. Versenden Sie weniger auf einmal.',
    zip_path: () => 'Ein Pfad im ZIP führt hinaus. Erstellen Sie es neu aus einem einfachen Ordner.',
    zip_too_large: () => 'Das ZIP ist entpackt größer als 300 MB oder hat mehr als 2.000 Dokumente. Teilen Sie es auf.',
    zip_without_index: () => 'Das ZIP braucht genau eine CSV-Datei als Verzeichnis.',
    zip_document_too_large: () => 'Ein Dokument im ZIP ist größer als 20 MB.',
    too_hard: () =>
      'Die Liste konnte nicht rechtzeitig gelesen werden. Speichern Sie sie als CSV oder teilen Sie sie auf.',
  },
  failures: {
    FILE: 'Die Liste wurde nach dem Hochladen geändert oder gelöscht. Laden Sie sie erneut hoch.',
    DOCUMENT: 'Das Dokument kann nicht gedruckt werden. Prüfen Sie es und laden Sie es erneut hoch.',
    INTERNAL: 'Die Liste konnte nicht gelesen werden. Speichern Sie sie als CSV oder teilen Sie sie auf.',
  },
};
