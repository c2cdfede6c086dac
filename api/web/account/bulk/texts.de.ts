import { formatOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

export { findings, letter } from '#api/web/account/letter/letter.texts.de.ts';
export { bulkRows } from './rows/texts.de.ts';

export const bulk: typeof en.bulk = {
  title: 'An eine Liste senden',
  lead: 'Senden Sie ein Dokument an alle auf einer Liste, oder ein ZIP mit PDFs und einer Indexdatei.',
  create: 'Neue Liste',
  list: 'Ihre Listen',
  none: 'Noch keine Listen',
  noneHint:
    'Laden Sie eine Liste und ein Dokument hoch. Jede Zeile wird geprüft und ihr Preis ermittelt, bevor etwas versendet wird.',
  state: 'Status',
  letters: 'Briefe',
  price: 'Preis',
  created: 'Angelegt',
  mode: 'Modus',
  modeHint: 'Testbriefe sind kostenlos und werden nie gedruckt. Live-Briefe werden gedruckt, verschickt und bezahlt.',
  states: {
    validating: 'Wird geprüft',
    needs_mapping: 'Auswahl nötig',
    needs_attention: 'Zeilen zu korrigieren',
    ready: 'Versandbereit',
    sending: 'Wird versendet',
    paused: 'Angehalten',
    sent: 'Versendet',
    cancelled: 'Abgebrochen',
    failed: 'Nicht lesbar',
  },
  createTitle: 'An eine Liste senden',
  createLead:
    'Die erste Zeile der Liste benennt die Spalten: Name, Straße, Postleitzahl, Ort und Land, in beliebiger Reihenfolge.',
  listFile: 'Empfängerliste',
  listHint:
    'CSV oder XLSX mit höchstens 100.000 Zeilen, oder ein ZIP mit PDFs und einer Indexdatei als CSV. Höchstens 100 MB.',
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
  checkedTo: (row) => `Bisher bis Zeile ${row} geprüft.`,
  failed: 'Diese Liste ist nicht verwendbar',
  tryAgain: 'Andere Liste hochladen',
  readAs: 'Was wir gelesen haben',
  format: 'Format',
  formats: {
    xlsx: (sheet) => (sheet === '' ? 'XLSX' : `XLSX, Blatt „${sheet}“`),
    zipXlsx: 'ZIP, Indexdatei in XLSX',
    csv: (encoding, separator) => `CSV in ${encoding}, getrennt durch ${separator}`,
    zip: (encoding, separator) => `ZIP, Indexdatei in ${encoding}, getrennt durch ${separator}`,
  },
  separators: { ';': 'Semikolons', ',': 'Kommas', '\t': 'Tabulatoren', '|': 'senkrechte Striche', '^': 'Zirkumflexe' },
  rows: 'Zeilen',
  valid: 'Ohne Fehler',
  faulty: 'Mit Fehlern',
  warned: 'Mit Warnungen',
  duplicates: 'Gleicher Brief wie in einer früheren Zeile',
  duplicatesHint: 'Sie werden auch versendet. Entfernen Sie sie aus der Liste, wenn das ein Versehen ist.',
  reading: {
    title: 'So wird die Liste gelesen',
    lead: 'Ändern Sie dies nur, wenn Namen oder Spalten falsch aussehen. Die Liste wird dann neu gelesen.',
    automatic: 'Automatisch erkennen',
    encoding: 'Zeichenkodierung',
    chooseTitle: 'Welche Lesart stimmt?',
    chooseLead:
      'Die Buchstaben dieser Liste lassen sich auf mehrere Arten lesen. Wählen Sie die, in der alle Namen richtig geschrieben sind.',
    separator: 'Spalten getrennt durch',
    sheet: 'Blatt',
    hiddenSheet: (name) => `${name} (ausgeblendet)`,
    headerRow: 'Zeile der Überschriften',
    headerRowHint: 'Leer: erkennen. 0: Die Liste hat keine Überschriften.',
    hiddenRows: 'Ausgeblendete Zeilen',
    hiddenRowChoices: { send: 'Auch versenden', skip: 'Weglassen' },
    readAgain: 'Liste neu lesen',
    repair: 'Buchstaben reparieren',
    warnings: {
      other_sheets: (count) => `Die Datei hat weitere sichtbare Blätter (${count}), die nicht versendet werden.`,
      hidden_rows: (count) =>
        `Das Blatt hat ausgeblendete Zeilen (${count}), etwa durch einen Filter. Sie werden auch versendet.`,
      merged_cells: (count) =>
        `Einige Zellen sind über mehrere Zeilen verbunden. Jede dieser Zeilen wird mit ihrem Wert gelesen (Zellen: ${count}).`,
      title_rows: (count) => `Zeilen über den Überschriften (${count}) werden nicht versendet.`,
      second_heading: () =>
        'Die Zeile unter den Überschriften benennt die Spalten noch einmal und wird nicht versendet.',
      no_heading: () =>
        'Die Liste hat keine Überschriften: Die erste Zeile wird auch versendet, und die Spalten sind nummeriert.',
      twice_encoded: (count) =>
        `Zellen mit Buchstaben wie „Ã©“ (${count}): Die Liste wurde in der falschen Kodierung gespeichert und lässt sich reparieren.`,
      assumed_country: (count) =>
        `Zeilen ohne Land (${count}) werden innerhalb Belgiens verschickt. Wenn das stimmt, wählen Sie unten Belgien als ihr Land.`,
    },
  },
  columns: 'Spalten',
  columnsLead:
    'Prüfen Sie, ob jeder Teil der Adresse die richtige Spalte hat. Stehen Postleitzahl und Ort in einer Spalte, wählen Sie sie für beide.',
  missing: (fields) => `Keine Spalte gefunden für: ${fields}. Wählen Sie eine.`,
  missingCountry: (choice) =>
    `Das Land der Empfänger fehlt. Hat die Liste keine Spalte dafür, wählen Sie es unter „${choice}“.`,
  noColumn: 'Keine',
  asInAddress: 'Wie in der Adresse',
  nextColumn: (field, position) => `${field}, Teil ${position}`,
  between: (field) => `${field}, Trennzeichen`,
  separatorNames: {
    ...{ ' ': 'Leerzeichen', ', ': 'Komma', '': 'Nichts', '-': 'Bindestrich', ' - ': 'Strich mit Leerzeichen' },
    ...{ '/': 'Schrägstrich', ' / ': 'Schrägstrich mit Leerzeichen' },
  },
  columnLike: (column, example) => `${column} (${example})`,
  unused: (columns) => `Steht auf keinem Brief: ${columns}.`,
  undecided: (columns) =>
    `Diese Spalten sehen nach einem Teil der Adresse aus, aber kein Brief verwendet sie: ${columns}. Wählen Sie, wo jede gedruckt wird, oder kreuzen Sie an, dass sie nicht gebraucht wird.`,
  notNeeded: 'Nicht gebraucht',
  remembered: (date) =>
    `Am ${date} haben Sie diese Spalten für eine Liste mit denselben Überschriften gewählt. Sie sind unten eingetragen, werden aber noch nicht verwendet. Prüfen Sie sie.`,
  fields: {
    name: 'Name',
    company: 'Firma',
    line1: 'Straße und Hausnummer',
    box: 'Wohnung oder Briefkasten',
    line2: 'Zweite Adresszeile',
    zip: 'Postleitzahl',
    city: 'Ort',
    state: 'Bundesstaat oder Provinz',
    country: 'Land',
    reference: 'Ihr Zeichen',
    file: 'Name des PDF',
  },
  defaultCountry: 'Land der Zeilen ohne Land',
  noDefaultCountry: 'Nicht gewählt',
  checkAgain: 'Mit diesen Spalten erneut prüfen',
  faults: 'Zeilen zu korrigieren',
  faultsLead: (shown, all) =>
    `Fehlerhafte Zeilen: ${all}. Hier gezeigt: ${shown}. Laden Sie die Liste mit allen Fehlern herunter, korrigieren Sie sie und laden Sie sie wieder hoch.`,
  warnings: 'Zeilen zu prüfen',
  warningsLead: (shown, all) =>
    `Zeilen mit Warnungen: ${all}. Hier gezeigt: ${shown}. Sie werden so versendet; korrigieren Sie die Liste, wenn das nicht beabsichtigt ist.`,
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
    'Das Guthaben reicht nicht für alle Briefe. Der Versand wird angehalten, wenn es aufgebraucht ist; nach einer Aufladung setzen Sie ihn fort.',
  send: (letters, price) => `${letters} für ${price} versenden`,
  sendSome: (letters, price) => `${letters} ohne Fehler für ${price} versenden`,
  letterCount: { one: '# Brief', other: '# Briefe' },
  progress: 'Fortschritt',
  progressOf: (sent, all) => `Angelegte Briefe: ${sent} von ${all}.`,
  spent: 'Bisher bezahlt',
  refused: 'Abgelehnt',
  cancelledLetters: 'Stornierte Briefe',
  notCancelled: 'Zu spät zum Stornieren',
  pauses: {
    REQUESTED: 'Angehalten. Bereits erstellte Briefe bleiben, wie sie sind.',
    INSUFFICIENT_FUNDS: 'Das Guthaben reicht nicht für die nächsten Briefe. Laden Sie es auf und setzen Sie dann fort.',
    PRICE_CHANGED:
      'Der Preis eines Briefs hat sich seit Ihrer Bestätigung geändert. Setzen Sie den Versand fort, um den neuen Preis anzunehmen.',
    LIMIT_REACHED:
      'Die Briefe würden den Speicher Ihrer Organisation überschreiten. Setzen Sie den Versand fort, sobald frühere Briefe gedruckt sind.',
    CONSENT_ENDED:
      'Der Zugriff der Anwendung, die diese Briefe gesendet hat, ist beendet. Setzen Sie den Versand fort, um die übrigen selbst zu senden.',
  },
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  acceptPrice: 'Zum neuen Preis fortsetzen',
  cancel: 'Liste abbrechen',
  cancelTitle: 'Diese Liste abbrechen?',
  cancelLead:
    'Es wird kein weiterer Brief erstellt. Briefe, die noch nicht im Druck sind, werden storniert und erstattet.',
  keep: 'Behalten',
  downloadResults: 'Ergebnisse herunterladen (CSV)',
  seeLetters: 'Briefe ansehen',
  rowsRemoved:
    'Die Zeilen dieser Liste sind gelöscht: 30 Tage nach dem Versand, oder beim Abbruch, wenn sie nie bestätigt wurde.',
  rowFaults: {
    missing: () => 'Leer, doch jeder Brief braucht das. Ergänzen Sie es.',
    too_long: (most) => `Zu lang: höchstens ${most} Zeichen. Kürzen Sie den Text.`,
    control_characters: () =>
      'Enthält Zeilenumbrüche, Tabulatoren oder unsichtbare Zeichen. Schreiben Sie alles in eine Zeile.',
    formula: () => 'Enthält eine Formel. Ersetzen Sie sie durch ihren Wert.',
    garbled: () => 'In der falschen Kodierung gespeichert. Speichern Sie das Original als CSV (UTF-8).',
    unknown_country: () => 'Unbekanntes Land. Verwenden Sie einen Code wie BE.',
    not_national: () =>
      'Geht ins Ausland, diese Liste ist aber für Belgien. Entfernen Sie die Zeile, oder laden Sie die Liste ohne Ziel hoch.',
    not_international: () =>
      'Geht nach Belgien, diese Liste ist aber für das Ausland. Entfernen Sie die Zeile, oder laden Sie die Liste ohne Ziel hoch.',
    belgian_zip: () => 'Eine belgische Postleitzahl hat vier Ziffern, 1000 bis 9999. Korrigieren Sie sie.',
    place_not_split: () =>
      'Postleitzahl und Ort stehen in einer Zelle und lassen sich nicht trennen. Schreiben Sie sie wie „10115 Berlin“, mit einer Postleitzahl des Landes der Zeile, oder in zwei Spalten.',
    lost_zero: (digits) =>
      `Braucht ${digits} Ziffern, und Tabellenprogramme lassen Nullen am Anfang weg. Formatieren Sie die Spalte als Text, und ergänzen Sie die Postleitzahl.`,
    unusual_zip: (country) =>
      `${formatOf('de').country(country)}: Postleitzahlen sehen dort anders aus. Prüfen Sie die Postleitzahl und das Land.`,
    cell_error: () =>
      'Ein Fehler oder eine Formel ohne gespeichertes Ergebnis. Öffnen Sie die Liste im Tabellenprogramm, korrigieren Sie die Formel und speichern Sie neu.',
    scientific_notation: () =>
      'Zu wissenschaftlicher Schreibweise gekürzt, dabei gingen Ziffern verloren. Formatieren Sie die Spalte als Text, und geben Sie die Zahl neu ein.',
    date_in_address: () =>
      "Ihr Tabellenprogramm hat aus dieser Nummer wohl ein Datum, eine Uhrzeit oder einen Bruch gemacht. Formatieren Sie die Spalte als Text, und geben Sie sie neu ein. Wenn sie stimmt, setzen Sie einen Apostroph davor: '3-Apr.",
    null_word: () =>
      "Bedeutet „kein Wert“ und wird als leere Zelle gelesen. Leeren Sie die Zelle, oder geben Sie den Wert ein. Ist das Wort gemeint, setzen Sie einen Apostroph davor: 'NULL.",
    decimals_removed: () =>
      "Wird ohne Nachkommastellen und Tausenderzeichen gedruckt. Prüfen Sie die Zahl, und formatieren Sie die Spalte als Text. Um sie zu behalten, setzen Sie einen Apostroph davor: '10115.0.",
    decimal_sign: () =>
      "Wird mit dem Dezimalzeichen der Sprache der Vorlage gedruckt. Prüfen Sie den Betrag. Ist es keine Zahl, setzen Sie einen Apostroph davor: '4.2.",
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
    repeated_reference: (row) => `Zeile ${row} hat dieselbe Referenz. Geben Sie jeder Zeile eine eigene.`,
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
    too_many_rows: () =>
      'Die Liste hat mehr als 100.000 Zeilen, leere mitgezählt. Entfernen Sie leere Zeilen oder teilen Sie die Liste auf.',
    too_many_columns: () => 'Die Liste hat mehr als 200 Spalten. Entfernen Sie, was kein Brief braucht.',
    row_too_long: (line) =>
      `Die Zeile ${line} ist länger als eine Million Zeichen. Prüfen Sie, ob jedes Anführungszeichen geschlossen ist.`,
    quote_not_closed: (line) => `In Zeile ${line} wird ein Anführungszeichen geöffnet und nie geschlossen.`,
    nul_bytes: (line) => `Zeile ${line} enthält NUL-Bytes. Speichern Sie die Liste als CSV (UTF-8) oder XLSX.`,
    mixed_encodings: (line) =>
      `Die Liste mischt UTF-8 und Windows-1252, siehe Zeile ${line}. Speichern Sie alles als CSV (UTF-8).`,
    not_a_table: () => 'Das ist keine CSV-, XLSX- oder ZIP-Datei.',
    old_excel: () => 'Das ist eine alte oder geschützte Excel-Datei. Speichern Sie sie als XLSX ohne Passwort.',
    ods: () => 'Das ist eine OpenDocument-Tabelle (ODS). Speichern Sie sie als XLSX oder CSV (UTF-8).',
    numbers: () => 'Das ist ein Dokument von Apple Numbers. Exportieren Sie es als Excel (XLSX) oder CSV.',
    xlsb: () => 'Das ist eine binäre Excel-Mappe (XLSB). Speichern Sie sie als XLSX.',
    html: () =>
      'Das ist eine Webseite (HTML) mit anderem Namen. Öffnen Sie sie in Ihrer Tabellenkalkulation und speichern Sie sie als XLSX.',
    xml: () =>
      'Das ist eine XML-Datei mit anderem Namen. Öffnen Sie sie in Ihrer Tabellenkalkulation und speichern Sie sie als XLSX.',
    no_such_sheet: () => 'Die Datei hat das gewählte Blatt nicht mehr. Laden Sie sie erneut hoch.',
    damaged_xlsx: () => 'Die XLSX-Datei ist beschädigt oder leer. Öffnen und speichern Sie sie neu.',
    damaged_zip: () => 'Das ZIP ist beschädigt oder verschlüsselt. Erstellen Sie es neu, ohne Passwort.',
    storage_full: () =>
      'Die Dokumente im ZIP brauchen mehr Speicherplatz, als Sie noch haben. Versenden Sie weniger auf einmal.',
    zip_path: () => 'Ein Pfad im ZIP führt aus dem ZIP hinaus. Erstellen Sie es neu aus einem einfachen Ordner.',
    zip_too_large: () =>
      'Die Datei ist entpackt größer als 300 MB oder als das 100-Fache ihrer Größe, oder sie hat mehr als 2.000 Dokumente. Teilen Sie sie auf oder speichern Sie sie neu.',
    too_many_merged_cells: () =>
      'Das Blatt hat mehr als 500.000 über mehrere Zeilen verbundene Zellen. Heben Sie die Verbindung auf oder teilen Sie die Liste auf.',
    zip_without_index: () => 'Das ZIP braucht genau eine CSV- oder XLSX-Datei als Indexdatei.',
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
