import { formatOf } from '#api/web/texts/format.ts';
import type { TableFaultName } from '#common/bulk/file/table-fault.ts';
import type { ReadingWarningCode } from '#common/bulk/model/bulk-format.view.ts';
import type { RowFaultCode } from '#common/bulk/model/row-faults.ts';

export { findings, letter } from '#api/web/account/letter/letter.texts.en.ts';
export { bulkRows } from './rows/texts.en.ts';

/** Sending a list of letters. */
export const bulk = {
  title: 'Send to a list',
  lead: 'Send one document to everyone on a list, or a ZIP of PDFs with an index.',
  create: 'New list',
  list: 'Your lists',
  none: 'No lists yet',
  noneHint: 'Upload a list and a document. Every row is checked and priced before anything is sent.',
  state: 'State',
  letters: 'Letters',
  price: 'Price',
  created: 'Created',
  mode: 'Mode',
  modeHint: 'Test letters are free and never printed. Live letters are printed, posted and paid.',
  states: {
    validating: 'Checking',
    needs_mapping: 'Needs a choice',
    needs_attention: 'Rows to correct',
    ready: 'Ready to send',
    sending: 'Sending',
    paused: 'Paused',
    sent: 'Sent',
    cancelled: 'Cancelled',
    failed: 'Not readable',
  },
  createTitle: 'Send to a list',
  createLead: 'The first row of the list names the columns: name, street, postal code, city and country, in any order.',
  listFile: 'List of recipients',
  listHint: 'CSV or XLSX with up to 100,000 rows, or a ZIP of PDFs with an index in CSV. 100 MB at most.',
  document: 'Document',
  documentHint: 'A PDF that every letter has. Leave it out for a ZIP.',
  template: 'Template',
  templateHint:
    'Each row becomes a letter of its own, and the columns fill the variables. Choose a document or a template.',
  noTemplate: 'No template',
  service: 'Service',
  printing: 'Printing',
  color: 'In colour',
  check: 'Check the list',
  checkHint: 'Nothing is sent or paid yet.',
  validating: 'We are reading your list and checking every row. This page updates by itself.',
  checkedTo: (row: string) => `Checked up to row ${row} so far.`,
  failed: 'This list cannot be used',
  tryAgain: 'Upload another list',
  readAs: 'What we read',
  format: 'Format',
  formats: {
    xlsx: (sheet: string) => (sheet === '' ? 'XLSX' : `XLSX, sheet “${sheet}”`),
    zipXlsx: 'ZIP, its index in XLSX',
    csv: (encoding: string, separator: string) => `CSV in ${encoding}, separated by ${separator}`,
    zip: (encoding: string, separator: string) => `ZIP, its index in ${encoding}, separated by ${separator}`,
  },
  separators: { ';': 'semicolons', ',': 'commas', '\t': 'tabs', '|': 'vertical bars', '^': 'carets' },
  rows: 'Rows',
  valid: 'Without faults',
  faulty: 'With faults',
  warned: 'With warnings',
  duplicates: 'Same letter as an earlier row',
  duplicatesHint: 'They are sent too. Remove them from the list if that is a mistake.',
  reading: {
    title: 'How the list is read',
    lead: 'Change this only if names or columns look wrong. The list is then read again.',
    automatic: 'Recognize it',
    encoding: 'Characters',
    chooseTitle: 'Which one is right?',
    chooseLead:
      'The letters of this list can be read in several ways. Choose the one in which all names are spelled right.',
    separator: 'Columns are separated by',
    sheet: 'Sheet',
    hiddenSheet: (name: string) => `${name} (hidden)`,
    headerRow: 'Row of the heading',
    headerRowHint: 'Blank: recognize it. 0: the list has no heading.',
    hiddenRows: 'Hidden rows',
    hiddenRowChoices: { send: 'Send them too', skip: 'Leave them out' },
    readAgain: 'Read the list again',
    repair: 'Repair the letters',
    warnings: {
      other_sheets: (count) => `The file has other visible sheets (${count}), which are not sent.`,
      hidden_rows: (count) => `The sheet has hidden rows (${count}), for example of a filter. They are sent too.`,
      merged_cells: (count) =>
        `Some cells are merged over several rows. Each of these rows is read with their value (cells: ${count}).`,
      title_rows: (count) => `Rows above the heading (${count}) are not sent.`,
      second_heading: () => 'The row below the heading names the columns once more, and is not sent.',
      no_heading: () => 'The list has no heading: its first row is sent too, and columns have numbers.',
      twice_encoded: (count) =>
        `Cells with letters such as “Ã©” (${count}): the list was saved in the wrong encoding, and can be repaired.`,
      assumed_country: (count) =>
        `Rows without a country (${count}) are sent within Belgium. If that is right, choose Belgium below as their country.`,
    } satisfies Record<ReadingWarningCode, (count: string) => string> as Record<
      ReadingWarningCode,
      (count: string) => string
    >,
  },
  columns: 'Columns',
  columnsLead:
    'Check that each part of the address has the right column. If one column has postal code and city, choose it for both.',
  missing: (fields: string) => `No column was found for: ${fields}. Choose one.`,
  missingCountry: (choice: string) =>
    `The country of the recipients is missing. If the list has no column for it, choose it under “${choice}”.`,
  noColumn: 'None',
  asInAddress: 'As in the address',
  nextColumn: (field: string, position: number) => `${field}, part ${position}`,
  between: (field: string) => `${field}, joined by`,
  separatorNames: {
    ...{ ' ': 'A space', ', ': 'A comma', '': 'Nothing', '-': 'A hyphen', ' - ': 'A hyphen with spaces' },
    ...{ '/': 'A slash', ' / ': 'A slash with spaces' },
  },
  columnLike: (column: string, example: string) => `${column} (${example})`,
  unused: (columns: string) => `Not printed on any letter: ${columns}.`,
  undecided: (columns: string) =>
    `These columns look like part of the address, but no letter uses them: ${columns}. Choose where each is printed, or tick that it is not needed.`,
  notNeeded: 'Not needed',
  remembered: (date: string) =>
    `You chose these columns for a list with the same headings on ${date}. They are filled in below, but not used yet. Check them.`,
  fields: {
    name: 'Name',
    company: 'Company',
    line1: 'Street and number',
    box: 'Box or flat',
    line2: 'Second address line',
    zip: 'Postal code',
    city: 'City',
    state: 'State or province',
    country: 'Country',
    reference: 'Your reference',
    file: 'Name of the PDF',
  },
  defaultCountry: 'Country of rows without one',
  noDefaultCountry: 'Not chosen',
  checkAgain: 'Check again with these columns',
  faults: 'Rows to correct',
  faultsLead: (shown: string, all: string) =>
    `Rows with faults: ${all}. Shown here: ${shown}. Download the list with all faults, correct it and upload it again.`,
  warnings: 'Rows to check',
  warningsLead: (shown: string, all: string) =>
    `Rows with warnings: ${all}. Shown here: ${shown}. They are sent as they are; correct the list if that is not what you mean.`,
  downloadFaults: 'Download the list with faults (CSV)',
  row: 'Row',
  ofRow: 'Whole row',
  priceTitle: 'Price',
  zone: 'Destination',
  pages: 'Pages',
  unit: 'Per letter',
  sum: 'Sum',
  total: 'Total, VAT included',
  balance: 'Balance of the wallet',
  balanceAfter: 'Balance afterwards',
  tooLow:
    'The balance does not cover all letters. Sending pauses when it runs out, and you can resume it after a top-up.',
  send: (letters: string, price: string) => `Send ${letters} for ${price}`,
  sendSome: (letters: string, price: string) => `Send ${letters} without faults for ${price}`,
  letterCount: { one: '# letter', other: '# letters' },
  progress: 'Progress',
  progressOf: (sent: string, all: string) => `Letters created: ${sent} of ${all}.`,
  spent: 'Paid so far',
  refused: 'Refused',
  cancelledLetters: 'Cancelled letters',
  notCancelled: 'Too late to cancel',
  pauses: {
    REQUESTED: 'Paused. Letters that are created stay as they are.',
    INSUFFICIENT_FUNDS: 'The balance does not cover the next letters. Top up the wallet, then resume.',
    PRICE_CHANGED: 'The price of a letter has changed since you confirmed. Resume to accept the new price.',
    LIMIT_REACHED:
      'The letters would exceed the storage of your organization. Resume once earlier letters are printed.',
    CONSENT_ENDED: 'The access of the application that sent these letters has ended. Resume to send the rest yourself.',
  },
  pause: 'Pause',
  resume: 'Resume',
  acceptPrice: 'Resume at the new price',
  cancel: 'Cancel the list',
  cancelTitle: 'Cancel this list?',
  cancelLead: 'No further letter is created. Letters that are not yet in print are cancelled and refunded.',
  keep: 'Keep it',
  downloadResults: 'Download the results (CSV)',
  seeLetters: 'See the letters',
  rowsRemoved:
    'The rows of this list have been deleted: 30 days after it was sent, or when it was cancelled without being confirmed.',
  rowFaults: {
    missing: () => 'This is empty, and every letter needs it. Complete it.',
    too_long: (most) => `Too long: ${most} characters are the most. Shorten it.`,
    control_characters: () => 'Has line breaks, tabs or invisible characters. Put it on one line.',
    formula: () => 'Holds a formula. Replace it by its value.',
    garbled: () => 'Saved in the wrong encoding. Save the original as CSV (UTF-8).',
    unknown_country: () => 'Not a country we know. Use a code such as BE.',
    not_national: () =>
      'Goes abroad, and this list is for Belgium. Remove the row, or upload the list without a destination.',
    not_international: () =>
      'Goes to Belgium, and this list is for other countries. Remove the row, or upload the list without a destination.',
    belgian_zip: () => 'A Belgian postal code has four digits, 1000 to 9999. Correct it.',
    place_not_split: () =>
      'Postal code and city are in one cell and cannot be told apart. Write them as in “1000 Bruxelles”, with one postal code of the row’s country, or in two columns.',
    lost_zero: (digits) =>
      `Needs ${digits} digits, and spreadsheets drop zeros at the beginning. Format the column as text and complete the code.`,
    unusual_zip: (country) =>
      `${formatOf('en').country(country)}: postal codes there look different. Check the postal code and the country.`,
    cell_error: () =>
      'An error, or a formula without a stored result. Open the list in your spreadsheet, correct the formula and save it again.',
    scientific_notation: () =>
      'Shortened to scientific notation, so digits are lost. Format the column as text and enter the number again.',
    date_in_address: () =>
      "Your spreadsheet seems to have made a date, a time or a fraction of this number. Format the column as text and enter it again. If it is right, put an apostrophe before it: '3-Apr.",
    null_word: () =>
      "Stands for no value, so it is read as an empty cell. Empty the cell or enter the value. If the word is meant, put an apostrophe before it: 'NULL.",
    decimals_removed: () =>
      "Printed without decimals and thousands separators. Check it, and format the column as text. To keep them, put an apostrophe before it: '10115.0.",
    decimal_sign: () =>
      "Printed with the decimal sign of the template’s language. Check the amount. If it is no number, put an apostrophe before it: '4.2.",
    many_digits: () =>
      'More than 15 digits: spreadsheets replace the others by zeros. Compare it with the original, and format the column as text.',
    sandbox_outcome: () =>
      'Neither an address nor a known outcome of a test letter. Write an address, or an outcome from the guide “Sandbox”.',
    invisible: (characters) => `Character ${characters} is invisible and cannot be printed. Delete it.`,
    unprintable: (characters) =>
      `Our font lacks these characters: ${characters}. Write them in Latin, Greek or Cyrillic letters.`,
    does_not_fit: () => 'The address is too long for the window of the envelope. Shorten its lines.',
    address_small: () =>
      'The address is printed in small letters. Shorten this line, or write it and the line above on one line.',
    repeated_reference: (row) => `Row ${row} has the same reference. Give each row its own.`,
    unknown_file: () => 'The ZIP file has no PDF of this name. Correct the name, folders included.',
    bad_document: () => 'This PDF cannot be printed. Export it again.',
    bad_variable: () =>
      'The template does not accept this value: it is empty, too long or cannot be printed. Correct it; the list with faults says more.',
    same_letter: (row) => `Same letter as row ${row}. Both are sent; remove one if that is a mistake.`,
    refused: (problem) => `Refused: ${problem}`,
  } satisfies Record<RowFaultCode, (detail: string) => string> as Record<RowFaultCode, (detail: string) => string>,
  tableFaults: {
    empty: () => 'The list has no rows below its header.',
    too_many_rows: () =>
      'The list has more than 100,000 rows, counting blank ones. Remove blank rows or split the list.',
    too_many_columns: () => 'The list has more than 200 columns. Remove those that no letter needs.',
    row_too_long: (line) =>
      `The row at line ${line} is longer than a million characters. Check that each quote is closed.`,
    quote_not_closed: (line) => `A quote is opened at line ${line} and never closed.`,
    nul_bytes: (line) => `Line ${line} has NUL bytes, which no text has. Save the list as CSV (UTF-8) or XLSX.`,
    mixed_encodings: (line) =>
      `The list mixes UTF-8 and Windows-1252, see line ${line}. Save all of it as CSV (UTF-8).`,
    not_a_table: () => 'This is no CSV, XLSX or ZIP file.',
    old_excel: () => 'This is an old or password-protected Excel file. Save it as XLSX without a password.',
    ods: () => 'This is an OpenDocument spreadsheet (ODS). Save it as XLSX or CSV (UTF-8).',
    numbers: () => 'This is a document of Apple Numbers. Export it as Excel (XLSX) or CSV.',
    xlsb: () => 'This is a binary Excel workbook (XLSB). Save it as XLSX.',
    html: () => 'This is a web page (HTML) with another name. Open it in your spreadsheet and save it as XLSX.',
    xml: () => 'This is an XML file with another name. Open it in your spreadsheet and save it as XLSX.',
    no_such_sheet: () => 'The file no longer has the sheet that was chosen. Upload it again.',
    damaged_xlsx: () => 'The XLSX file is damaged or has no rows. Open it and save it again.',
    damaged_zip: () => 'The ZIP file is damaged or encrypted. Create it again without a password.',
    storage_full: () => 'The documents in the ZIP file need more storage than you have left. Send fewer at a time.',
    zip_path: () => 'A path in the ZIP file leads out of it. Create it again from a plain folder.',
    zip_too_large: () =>
      'The file unpacks to more than 300 MB or 100 times its size, or has more than 2,000 documents. Split it or save it again.',
    too_many_merged_cells: () =>
      'The sheet has more than 500,000 merged cells over several rows. Unmerge them, or split the list.',
    zip_without_index: () => 'The ZIP file needs exactly one CSV or XLSX file as its index.',
    zip_document_too_large: () => 'A document in the ZIP file is larger than 20 MB.',
    too_hard: () => 'The list could not be read in time. Save it as CSV, or split it.',
  } satisfies Record<TableFaultName, (line: string) => string> as Record<TableFaultName, (line: string) => string>,
  failures: {
    FILE: 'The list was changed or removed after it was uploaded. Upload it again.',
    DOCUMENT: 'The document cannot be printed. Check it, then upload it again.',
    INTERNAL: 'The list could not be read. Save it as CSV, or split it.',
  },
};
