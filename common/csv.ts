/** Comma-separated values (RFC 4180), safe to open in a spreadsheet. */

/** The start of a cell that a spreadsheet may run as a formula, including full-width forms. */
const formulaStart = /^[\s"]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * The same after a separator inside a cell. Many spreadsheets split at semicolons and then ignore a quote opened
 * before.
 */
const innerFormulaStart = /([;\t\r\n])(?=(?:(?![;\t\r\n])[\s"])*[=+\-@＝＋－＠])/gu;

/** A cell: untrusted text, a number, or empty. */
export type CsvCell = string | number | null;

/**
 * Returns one record with its CRLF. An apostrophe is put before text that a spreadsheet could run as a formula, at
 * every position where a cell may start. Numbers stay numbers, including negative ones.
 */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(csvField).join(',')}\r\n`;
}

function csvField(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const inner = cell.replaceAll(innerFormulaStart, "$1'");
  const text = formulaStart.test(inner) ? `'${inner}` : inner;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
