/**
 * Why a bulk file cannot be read, as a text for the sender: what is wrong and how to fix it. `line` is the line of a CSV
 * file, `count` what was counted. Security: a child process reports the name of a fault and numbers, never a text.
 */
export const tableFaults = {
  empty: () => 'The file has no rows below its header. The first row names the columns, each further row is a letter.',
  too_many_rows: () =>
    'The file has more than 100,000 rows, blank ones included. Remove these, or split it into several files.',
  too_many_columns: ({ count }) =>
    `The file has ${count ?? 'too many'} columns, and 200 are the most. Remove the columns that no letter needs.`,
  row_too_long: ({ line }) =>
    `The row that begins at line ${line ?? 1} is longer than a million characters. Check that each row ends with a line break, and that each quote is closed.`,
  quote_not_closed: ({ line }) =>
    `A quote is opened at line ${line ?? 1} and never closed. Close it, or double it if it is part of the text.`,
  nul_bytes: ({ line }) =>
    `Line ${line ?? 1} has NUL bytes, which no text has. Open the file in your spreadsheet and save it as CSV (UTF-8) or XLSX.`,
  mixed_encodings: ({ line }) =>
    `The file mixes UTF-8 and Windows-1252: line ${line ?? 1} is in the other encoding than the rest. Save the whole file as CSV (UTF-8).`,
  not_a_table: () => 'The file is no CSV, XLSX or ZIP file. Save your list in one of these formats.',
  old_excel: () =>
    'The file is an Excel file of the old format (XLS), or protected by a password. Save it as XLSX without a password.',
  ods: () => 'The file is an OpenDocument spreadsheet (ODS). Save it as XLSX or CSV (UTF-8).',
  numbers: () => 'The file is a document of Apple Numbers. Export it as Excel (XLSX) or CSV.',
  xlsb: () => 'The file is a binary Excel workbook (XLSB). Save it as XLSX.',
  html: () => 'The file is a web page (HTML), whatever its name says. Open it in your spreadsheet and save it as XLSX.',
  xml: () => 'The file is XML, whatever its name says. Open it in your spreadsheet and save it as XLSX.',
  no_such_sheet: () => 'The file has no sheet of this name. Choose one of `format.sheets`.',
  too_many_merged_cells: () =>
    'The sheet has more than 500,000 merged cells over several rows. Unmerge them, or split the list into several files.',
  damaged_xlsx: () =>
    'The XLSX file is damaged or has no sheet with rows. Open it in your spreadsheet and save it again.',
  damaged_zip: () => 'The ZIP file is damaged, encrypted or of an unusual kind. Create it again without a password.',
  zip_path: ({ count }) =>
    `Entry ${count ?? 1} of the ZIP file has a path that leads out of it (".." or a drive). Create the ZIP file again from a plain folder.`,
  zip_too_large: () =>
    'The ZIP or XLSX file would unpack to more than 300 MB, or to more than 100 times its size, or has more than 2,000 documents. Split it, or save it again.',
  zip_without_index: () =>
    'The ZIP file needs exactly one CSV or XLSX file: the index, with one row per letter and a column that names its PDF.',
  zip_document_too_large: ({ count }) =>
    `Entry ${count ?? 1} of the ZIP file is larger than 20 MB, the most of one document.`,
  storage_full: () =>
    'The documents of the ZIP file need more storage than your organization has left. Send fewer at a time.',
  too_hard: () => 'The file could not be read within the limits of time and memory. Save it as CSV, or split it.',
} as const satisfies Record<string, (place: FaultPlace) => string>;

export type TableFaultName = keyof typeof tableFaults;
export type FaultPlace = { line?: number | undefined; count?: number | undefined };

/** A bulk file that cannot be read on any machine. */
export class TableFault extends Error {
  override readonly name = 'TableFault';
  readonly fault: TableFaultName;
  readonly place: FaultPlace;

  constructor(fault: TableFaultName, place: FaultPlace = {}, options: { cause?: unknown } = {}) {
    super(tableFaults[fault](place), options);
    this.fault = fault;
    this.place = place;
  }
}

export function isTableFaultName(value: unknown): value is TableFaultName {
  return typeof value === 'string' && Object.hasOwn(tableFaults, value);
}
