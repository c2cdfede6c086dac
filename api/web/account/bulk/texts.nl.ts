import { formatOf } from '#api/web/texts/format.ts';
import type * as en from './texts.en.ts';

export { findings, letter } from '#api/web/account/letter/letter.texts.nl.ts';
export { bulkRows } from './rows/texts.nl.ts';

export const bulk: typeof en.bulk = {
  title: 'Lijst versturen',
  lead: 'Verstuur één document naar iedereen op een lijst, of een ZIP met pdf’s en een index.',
  create: 'Nieuwe lijst',
  list: 'Uw lijsten',
  none: 'Nog geen lijsten',
  noneHint:
    'Upload een lijst en een document. Elke rij wordt gecontroleerd en haar prijs berekend voor er iets vertrekt.',
  state: 'Status',
  letters: 'Brieven',
  price: 'Prijs',
  created: 'Aangemaakt',
  mode: 'Modus',
  modeHint: 'Testbrieven zijn gratis en worden nooit afgedrukt. Live brieven worden afgedrukt, gepost en betaald.',
  states: {
    validating: 'Controle loopt',
    needs_mapping: 'Keuze nodig',
    needs_attention: 'Rijen te verbeteren',
    ready: 'Klaar om te versturen',
    sending: 'Wordt verstuurd',
    paused: 'Gepauzeerd',
    sent: 'Verstuurd',
    cancelled: 'Geannuleerd',
    failed: 'Onleesbaar',
  },
  createTitle: 'Lijst versturen',
  createLead:
    'De eerste rij van de lijst benoemt de kolommen: naam, straat, postcode, plaats en land, in om het even welke volgorde.',
  listFile: 'Lijst met ontvangers',
  listHint: 'CSV of XLSX met hoogstens 100.000 rijen, of een ZIP met pdf’s en een index in CSV. Hoogstens 100 MB.',
  document: 'Document',
  documentHint: 'Een pdf die in elke brief zit. Laat dit leeg voor een ZIP.',
  template: 'Sjabloon',
  templateHint:
    'Elke rij wordt een eigen brief, en de kolommen vullen de variabelen in. Kies een document of een sjabloon.',
  noTemplate: 'Geen sjabloon',
  service: 'Dienst',
  printing: 'Afdrukken',
  color: 'In kleur',
  check: 'Lijst controleren',
  checkHint: 'Er wordt nog niets verstuurd of betaald.',
  validating: 'We lezen uw lijst en controleren elke rij. Deze pagina ververst zichzelf.',
  checkedTo: (row) => `Tot nu toe gecontroleerd: tot en met rij ${row}.`,
  failed: 'Deze lijst is onbruikbaar',
  tryAgain: 'Een andere lijst uploaden',
  readAs: 'Wat we gelezen hebben',
  format: 'Formaat',
  formats: {
    xlsx: (sheet) => (sheet === '' ? 'XLSX' : `XLSX, werkblad “${sheet}”`),
    zipXlsx: 'ZIP, index in XLSX',
    csv: (encoding, separator) => `CSV in ${encoding}, gescheiden door ${separator}`,
    zip: (encoding, separator) => `ZIP, index in ${encoding}, gescheiden door ${separator}`,
  },
  separators: { ';': 'puntkomma’s', ',': 'komma’s', '\t': 'tabs', '|': 'verticale strepen', '^': 'dakjes' },
  rows: 'Rijen',
  valid: 'Zonder fouten',
  faulty: 'Met fouten',
  warned: 'Met waarschuwingen',
  duplicates: 'Zelfde brief als een eerdere rij',
  duplicatesHint: 'Ze vertrekken ook. Haal ze uit de lijst als dat een vergissing is.',
  reading: {
    title: 'Hoe de lijst gelezen wordt',
    lead: 'Wijzig dit alleen als namen of kolommen er verkeerd uitzien. De lijst wordt dan opnieuw gelezen.',
    automatic: 'Automatisch herkennen',
    encoding: 'Tekencodering',
    chooseTitle: 'Welke is juist?',
    chooseLead:
      'De letters van deze lijst kunnen op verschillende manieren gelezen worden. Kies die waarin alle namen juist gespeld zijn.',
    separator: 'Kolommen gescheiden door',
    sheet: 'Werkblad',
    hiddenSheet: (name) => `${name} (verborgen)`,
    headerRow: 'Rij met de kolomnamen',
    headerRowHint: 'Leeg: herkennen. 0: de lijst heeft geen kolomnamen.',
    hiddenRows: 'Verborgen rijen',
    hiddenRowChoices: { send: 'Ook versturen', skip: 'Weglaten' },
    readAgain: 'Lijst opnieuw lezen',
    repair: 'Letters herstellen',
    warnings: {
      other_sheets: (count) =>
        `Het bestand heeft nog andere zichtbare werkbladen (${count}). Die worden niet verstuurd.`,
      hidden_rows: (count) =>
        `Het werkblad heeft verborgen rijen (${count}), bijvoorbeeld door een filter. Die vertrekken ook.`,
      merged_cells: (count) =>
        `Sommige cellen zijn samengevoegd over meerdere rijen. Elk van die rijen wordt met hun waarde gelezen (cellen: ${count}).`,
      title_rows: (count) => `Rijen boven de kolomnamen (${count}) worden niet verstuurd.`,
      second_heading: () => 'De rij onder de kolomnamen noemt de kolommen nog eens en wordt niet verstuurd.',
      no_heading: () => 'De lijst heeft geen kolomnamen: de eerste rij vertrekt ook, en de kolommen krijgen nummers.',
      twice_encoded: (count) =>
        `Cellen met letters zoals “Ã©” (${count}): de lijst is in de verkeerde codering opgeslagen en kan hersteld worden.`,
      assumed_country: (count) =>
        `Rijen zonder land (${count}) worden binnen België verstuurd. Klopt dat, kies dan hieronder België als hun land.`,
    },
  },
  columns: 'Kolommen',
  columnsLead:
    'Kijk na of elk deel van het adres de juiste kolom heeft. Staan postcode en plaats in één kolom, kies die dan voor beide.',
  missing: (fields) => `Geen kolom gevonden voor: ${fields}. Kies er één.`,
  missingCountry: (choice) =>
    `Het land van de ontvangers ontbreekt. Heeft de lijst er geen kolom voor, kies het dan bij “${choice}”.`,
  noColumn: 'Geen',
  asInAddress: 'Zoals in het adres',
  nextColumn: (field, position) => `${field}, deel ${position}`,
  between: (field) => `${field}, scheidingsteken`,
  separatorNames: {
    ...{ ' ': 'Een spatie', ', ': 'Een komma', '': 'Niets', '-': 'Een koppelteken', ' - ': 'Een streepje met spaties' },
    ...{ '/': 'Een schuine streep', ' / ': 'Een schuine streep met spaties' },
  },
  columnLike: (column, example) => `${column} (${example})`,
  unused: (columns) => `Staat op geen enkele brief: ${columns}.`,
  undecided: (columns) =>
    `Deze kolommen lijken bij het adres te horen, maar geen enkele brief gebruikt ze: ${columns}. Kies waar elke kolom komt te staan, of vink aan dat ze niet nodig is.`,
  notNeeded: 'Niet nodig',
  remembered: (date) =>
    `Op ${date} koos u deze kolommen voor een lijst met dezelfde kolomtitels. Ze zijn hieronder ingevuld, maar nog niet gebruikt. Kijk ze na.`,
  fields: {
    name: 'Naam',
    company: 'Bedrijf',
    line1: 'Straat en nummer',
    box: 'Bus of appartement',
    line2: 'Tweede adresregel',
    zip: 'Postcode',
    city: 'Plaats',
    state: 'Staat of provincie',
    country: 'Land',
    reference: 'Uw kenmerk',
    file: 'Naam van de pdf',
  },
  defaultCountry: 'Land van rijen zonder land',
  noDefaultCountry: 'Niet gekozen',
  checkAgain: 'Opnieuw controleren met deze kolommen',
  faults: 'Rijen te verbeteren',
  faultsLead: (shown, all) =>
    `Rijen met fouten: ${all}. Hier getoond: ${shown}. Download de lijst met alle fouten, verbeter ze en upload ze opnieuw.`,
  warnings: 'Rijen na te kijken',
  warningsLead: (shown, all) =>
    `Rijen met waarschuwingen: ${all}. Hier getoond: ${shown}. Ze vertrekken zoals ze zijn; verbeter de lijst als dat niet de bedoeling is.`,
  downloadFaults: 'Lijst met fouten downloaden (CSV)',
  row: 'Rij',
  ofRow: 'Hele rij',
  priceTitle: 'Prijs',
  zone: 'Bestemming',
  pages: 'Pagina’s',
  unit: 'Per brief',
  sum: 'Bedrag',
  total: 'Totaal, btw inbegrepen',
  balance: 'Saldo van de portemonnee',
  balanceAfter: 'Saldo na verzending',
  tooLow:
    'Het saldo volstaat niet voor alle brieven. Het versturen pauzeert als het saldo op is; na het aanvullen hervat u het.',
  send: (letters, price) => `${letters} versturen voor ${price}`,
  sendSome: (letters, price) => `${letters} zonder fouten versturen voor ${price}`,
  letterCount: { one: '# brief', other: '# brieven' },
  progress: 'Voortgang',
  progressOf: (sent, all) => `Aangemaakte brieven: ${sent} van ${all}.`,
  spent: 'Tot nu toe betaald',
  refused: 'Geweigerd',
  cancelledLetters: 'Geannuleerde brieven',
  notCancelled: 'Te laat om te annuleren',
  pauses: {
    REQUESTED: 'Gepauzeerd. Brieven die al aangemaakt zijn, blijven zoals ze zijn.',
    INSUFFICIENT_FUNDS: 'Het saldo volstaat niet voor de volgende brieven. Vul de portemonnee aan en hervat daarna.',
    PRICE_CHANGED: 'De prijs van een brief is veranderd sinds uw bevestiging. Hervat om de nieuwe prijs te aanvaarden.',
    LIMIT_REACHED:
      'De brieven zouden de opslag van uw organisatie overschrijden. Hervat zodra eerdere brieven afgedrukt zijn.',
    CONSENT_ENDED:
      'De toegang van de toepassing die deze brieven verstuurde, is beëindigd. Hervat om de rest zelf te versturen.',
  },
  pause: 'Pauzeren',
  resume: 'Hervatten',
  acceptPrice: 'Hervatten tegen de nieuwe prijs',
  cancel: 'Lijst annuleren',
  cancelTitle: 'Deze lijst annuleren?',
  cancelLead:
    'Er wordt geen brief meer aangemaakt. Brieven die nog niet in druk zijn, worden geannuleerd en terugbetaald.',
  keep: 'Behouden',
  downloadResults: 'Resultaten downloaden (CSV)',
  seeLetters: 'Brieven bekijken',
  rowsRemoved:
    'De rijen van deze lijst zijn verwijderd: 30 dagen na het versturen, of bij de annulering als de lijst niet bevestigd was.',
  rowFaults: {
    missing: () => 'Leeg, terwijl elke brief dit nodig heeft. Vul het aan.',
    too_long: (most) => `Te lang: hoogstens ${most} tekens. Kort het in.`,
    control_characters: () => 'Bevat regeleinden, tabs of onzichtbare tekens. Zet het op één regel.',
    formula: () => 'Bevat een formule. Vervang ze door haar waarde.',
    garbled: () => 'Opgeslagen in de verkeerde codering. Sla het origineel op als CSV (UTF-8).',
    unknown_country: () => 'Onbekend land. Gebruik een code zoals BE.',
    not_national: () =>
      'Gaat naar het buitenland, en deze lijst is voor België. Verwijder de rij of upload de lijst zonder bestemming.',
    not_international: () =>
      'Gaat naar België, en deze lijst is voor het buitenland. Verwijder de rij of upload de lijst zonder bestemming.',
    belgian_zip: () => 'Een Belgische postcode heeft vier cijfers, van 1000 tot 9999. Verbeter hem.',
    place_not_split: () =>
      'Postcode en plaats staan in één cel en zijn niet te scheiden. Schrijf ze zoals “1000 Brussel”, met één postcode van het land van de rij, of in twee kolommen.',
    lost_zero: (digits) =>
      `Heeft ${digits} cijfers nodig, en rekenbladen laten nullen vooraan weg. Zet de kolom op tekst en vul de postcode aan.`,
    unusual_zip: (country) =>
      `${formatOf('nl').country(country)}: postcodes zien er daar anders uit. Kijk de postcode en het land na.`,
    cell_error: () =>
      'Een fout, of een formule zonder opgeslagen resultaat. Open de lijst in uw rekenblad, verbeter de formule en sla ze opnieuw op.',
    scientific_notation: () =>
      'Ingekort tot wetenschappelijke notatie: er zijn cijfers verloren. Zet de kolom op tekst en voer het getal opnieuw in.',
    date_in_address: () =>
      "Uw rekenblad lijkt van dit nummer een datum, een tijd of een breuk te hebben gemaakt. Zet de kolom op tekst en voer het opnieuw in. Klopt het, zet er dan een apostrof voor: '3-apr.",
    null_word: () =>
      "Betekent ‘geen waarde’ en wordt gelezen als een lege cel. Maak de cel leeg of vul de waarde in. Is het woord bedoeld, zet er dan een apostrof voor: 'NULL.",
    decimals_removed: () =>
      "Wordt afgedrukt zonder decimalen en scheidingstekens voor duizendtallen. Kijk het na en zet de kolom op tekst. Wilt u ze behouden, zet er dan een apostrof voor: '10115.0.",
    decimal_sign: () =>
      "Gedrukt met het decimaalteken van de taal van het sjabloon. Kijk het bedrag na. Is het geen getal, zet er dan een apostrof voor: '4.2.",
    many_digits: () =>
      'Meer dan 15 cijfers: rekenbladen vervangen de volgende door nullen. Vergelijk het met het origineel en zet de kolom op tekst.',
    sandbox_outcome: () =>
      'Geen adres, en geen bekende afloop van een testbrief. Schrijf een adres, of een afloop uit de gids ‘Sandbox’.',
    invisible: (characters) => `Teken ${characters} is onzichtbaar en kan niet worden afgedrukt. Verwijder het.`,
    unprintable: (characters) =>
      `Ons lettertype heeft deze tekens niet: ${characters}. Schrijf ze in Latijnse, Griekse of cyrillische letters.`,
    does_not_fit: () => 'Het adres is te lang voor het venster van de envelop. Kort de regels in.',
    address_small: () =>
      'Het adres wordt in kleine letters afgedrukt. Kort deze regel in of zet hem samen met de regel erboven op één regel.',
    repeated_reference: (row) => `Rij ${row} heeft hetzelfde kenmerk. Geef elke rij een eigen kenmerk.`,
    unknown_file: () => 'De ZIP heeft geen pdf met deze naam. Verbeter de naam, met de mappen erbij.',
    bad_document: () => 'Deze pdf kan niet worden afgedrukt. Exporteer hem opnieuw.',
    bad_variable: () =>
      'Het sjabloon aanvaardt deze waarde niet: ze is leeg, te lang of kan niet worden afgedrukt. Verbeter ze; de lijst met fouten zegt meer.',
    same_letter: (row) => `Zelfde brief als rij ${row}. Beide vertrekken; verwijder er een als dat een vergissing is.`,
    refused: (problem) => `Geweigerd: ${problem}`,
  },
  tableFaults: {
    empty: () => 'De lijst heeft geen rijen onder de kopregel.',
    too_many_rows: () =>
      'De lijst heeft meer dan 100.000 rijen, lege meegeteld. Verwijder lege rijen of splits de lijst op.',
    too_many_columns: () => 'De lijst heeft meer dan 200 kolommen. Verwijder wat geen brief nodig heeft.',
    row_too_long: (line) =>
      `De rij op regel ${line} is langer dan een miljoen tekens. Kijk na of elk aanhalingsteken gesloten is.`,
    quote_not_closed: (line) => `Op regel ${line} opent een aanhalingsteken dat nooit sluit.`,
    nul_bytes: (line) => `Regel ${line} bevat NUL-bytes. Sla de lijst op als CSV (UTF-8) of XLSX.`,
    mixed_encodings: (line) => `De lijst mengt UTF-8 en Windows-1252, zie regel ${line}. Sla alles op als CSV (UTF-8).`,
    not_a_table: () => 'Dit is geen CSV-, XLSX- of ZIP-bestand.',
    old_excel: () => 'Dit is een oud of beveiligd Excelbestand. Sla het op als XLSX zonder wachtwoord.',
    ods: () => 'Dit is een OpenDocument-rekenblad (ODS). Sla het op als XLSX of CSV (UTF-8).',
    numbers: () => 'Dit is een document van Apple Numbers. Exporteer het als Excel (XLSX) of CSV.',
    xlsb: () => 'Dit is een binaire Excelwerkmap (XLSB). Sla ze op als XLSX.',
    html: () => 'Dit is een webpagina (HTML) met een andere naam. Open ze in uw rekenblad en sla ze op als XLSX.',
    xml: () => 'Dit is een XML-bestand met een andere naam. Open het in uw rekenblad en sla het op als XLSX.',
    no_such_sheet: () => 'Het bestand heeft het gekozen werkblad niet meer. Upload het opnieuw.',
    damaged_xlsx: () => 'Het XLSX-bestand is beschadigd of leeg. Open het en sla het opnieuw op.',
    damaged_zip: () => 'De ZIP is beschadigd of versleuteld. Maak hem opnieuw zonder wachtwoord.',
    storage_full: () =>
      'De documenten in de ZIP hebben meer opslagruimte nodig dan u nog heeft. Verstuur er minder tegelijk.',
    zip_path: () => 'Een pad in de ZIP leidt buiten de ZIP. Maak hem opnieuw vanuit een gewone map.',
    zip_too_large: () =>
      'Het bestand is uitgepakt groter dan 300 MB of dan 100 keer zijn eigen grootte, of heeft meer dan 2.000 documenten. Splits het op of sla het opnieuw op.',
    too_many_merged_cells: () =>
      'Het blad heeft meer dan 500.000 samengevoegde cellen over meerdere rijen. Hef de samenvoeging op of splits de lijst.',
    zip_without_index: () => 'De ZIP heeft precies één CSV- of XLSX-bestand nodig: de index.',
    zip_document_too_large: () => 'Een document in de ZIP is groter dan 20 MB.',
    too_hard: () => 'De lijst kon niet op tijd gelezen worden. Sla ze op als CSV of splits ze op.',
  },
  failures: {
    FILE: 'De lijst is na het uploaden gewijzigd of verwijderd. Upload ze opnieuw.',
    DOCUMENT: 'Het document kan niet worden afgedrukt. Kijk het na en upload het opnieuw.',
    INTERNAL: 'De lijst kon niet gelezen worden. Sla ze op als CSV of splits ze op.',
  },
};
