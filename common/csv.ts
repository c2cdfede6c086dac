/** Comma-separated values as RFC 4180 has them: for programs, and for people who open them in a spreadsheet. */

/** What a spreadsheet may take for the beginning of a formula, the wide forms included. */
const formulaStart = /^[\s"]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * The same in the middle of a text, after what another spreadsheet takes for the end of a cell or a line: many split at
 * semicolons, and then know nothing of a quote that was opened before.
 */
const innerFormulaStart = /([;\t\r\n])(?=(?:(?![;\t\r\n])[\s"])*[=+\-@＝＋－＠])/gu;

/** A cell: text of whatever origin, a number as it is, or nothing. */
export type CsvCell = string | number | null;

/**
 * One record with its CRLF. Text that a spreadsheet would calculate gets an apostrophe in front, which spreadsheets
 * take for "this is text", wherever a cell may begin; numbers stay numbers, negative ones too.
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
