/** Comma-separated values as RFC 4180 has them: for programs, and for people who open them in a spreadsheet. */

/** What a spreadsheet may take for the beginning of a formula, the wide forms included. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A cell: text of whatever origin, a number as it is, or nothing. */
export type CsvCell = string | number | null;

/**
 * One record with its CRLF. Text that a spreadsheet would calculate gets an apostrophe in front, which spreadsheets
 * take for "this is text"; numbers stay numbers, negative ones too.
 */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(csvField).join(',')}\r\n`;
}

function csvField(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formulaStart.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
