/** Limits of a bulk file. Cells count UTF-16 code units. */
export const tableLimits = {
  /** Letters, without the header. Blank lines between them count. */
  rows: 100_000,
  columns: 200,
  cellLength: 2_000,
  fileBytes: 100 * 1024 * 1024,
  /** Documents in a ZIP, and the bytes that it may unpack to. */
  documents: 2_000,
  unpackedBytes: 300 * 1024 * 1024,
  /** The bytes that a ZIP or XLSX may unpack to for each of its own, beyond what any may. Sheets need up to about 40. */
  unpackedRatio: 100,
  alwaysUnpackedBytes: 10 * 1024 * 1024,
} as const;

/** The heading is one of the first rows that are not blank: titles may stand above it. */
export const maxRowsAbove = 20;
/** Sheets to choose from, of which more are read by their name, and the length of a name: Excel allows 31. */
export const maxSheets = 50;
export const maxSheetName = 100;
/** Merged cells over several rows in a sheet: five columns of 100,000 rows. They take memory. */
export const maxMergedRanges = 500_000;
/** The highest row number of a spreadsheet. */
export const maxRowNumber = 1_048_576;
/** Longest record of a CSV file. A quote that is never closed ends here. */
export const maxRecordLength = 1_000_000;
