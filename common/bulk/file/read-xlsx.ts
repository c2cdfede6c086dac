import type { Language } from '#common/languages.ts';
import type { Reading } from './reading.ts';
import type { RowWriter } from './row-writer.ts';
import { TableFault } from './table-fault.ts';
import { maxRowNumber, maxSheets } from './table-limits.ts';
import { type CellContext, type StoredCell, toCellText } from './xlsx/cell-text.ts';
import { createMergedCells, type MergedCells, toColumnNumber } from './xlsx/merged-cells.ts';
import { readNumberFormats } from './xlsx/number-formats.ts';
import { readWorkbook, type Sheet } from './xlsx/read-workbook.ts';
import { readXml, type XmlToken } from './xlsx/read-xml.ts';
import { createRichText } from './xlsx/rich-text.ts';
import type { ZipEntry } from './zip-directory.ts';

/** `hiddenRows`: rows with content that the spreadsheet does not show. `mergedCells`: cells with the value of one above. */
export type XlsxFormat = {
  kind: 'xlsx';
  sheet: string;
  sheets: Pick<Sheet, 'name' | 'isHidden'>[];
  hiddenRows: number;
  mergedCells: number;
};

/** `language`: in which numbers and dates are written. */
export type XlsxReading = { reading: Reading; language: Language };

/**
 * Reads the rows of a sheet of an XLSX file, one after the other: the sheet of 100,000 rows as a tree or a string took
 * 450 MB. Without a choice, it is the first visible one that has a heading and a row. Numbers and dates
 * are written as a spreadsheet in this language shows them. Throws TableFault.
 */
export async function readXlsx(
  entries: readonly ZipEntry[],
  rows: RowWriter,
  { reading, language }: XlsxReading,
): Promise<XlsxFormat> {
  const { sheets, sharedStrings, styles, ...dates } = await readWorkbook(entries);
  const [texts, formats] = [await readSharedStrings(sharedStrings), await readNumberFormats(styles, language)];
  const context = { sharedStrings: texts, formats, language, ...dates };
  const list = sheets.slice(0, maxSheets).map(({ name, isHidden }) => ({ name, isHidden }));
  const candidates = sheets.filter((sheet) =>
    reading.sheet === undefined
      ? !sheet.isHidden || sheets.every(({ isHidden }) => isHidden)
      : sheet.name === reading.sheet,
  );
  for (const { name, part } of candidates) {
    const merged = createMergedCells();
    const work = { rows, skipsHidden: reading.hiddenRows === 'skip', merged };
    rows.restart();
    let counts = await readSheet(part, context, work);
    // A sheet names its merged cells behind its rows.
    if (!merged.isEmpty()) {
      rows.restart();
      counts = await readSheet(part, context, work);
    }
    if (rows.count() > 1 || candidates.length === 1) return { kind: 'xlsx', sheet: name, sheets: list, ...counts };
  }
  throw new TableFault(candidates.length === 0 ? 'no_such_sheet' : 'empty');
}

async function readSharedStrings(part: ZipEntry | undefined): Promise<string[]> {
  const strings: string[] = [];
  const text = createRichText();
  for await (const tokens of readXml(part)) {
    for (const token of tokens) {
      text.add(token);
      if (token.kind === 'close' && token.name === 'si') strings.push(text.take());
    }
  }
  return strings;
}

type RowsOfSheet = { rows: RowWriter; skipsHidden: boolean; merged: MergedCells };

/** Returns the number of hidden rows with content, and of cells that got the value of a merged one. */
async function readSheet(part: ZipEntry, context: CellContext, { rows, skipsHidden, merged }: RowsOfSheet) {
  let [rowNumber, column, cells] = [0, 0, [] as string[]];
  let [isHidden, hiddenRows, mergedCells, isComplete] = [false, 0, 0, false];
  let cell: StoredCell | null = null;
  let isValue = false;
  const inlineText = createRichText();
  for await (const tokens of readXml(part)) {
    for (const token of tokens) {
      if (token.kind === 'text') {
        if (isValue && cell) cell.value += token.text;
        else if (cell) inlineText.add(token);
        continue;
      }
      const isOpen = token.kind === 'open';
      if (token.name === 'row' && isOpen) {
        rowNumber = skipTo(token.attributes, rowNumber, rows);
        [column, cells] = [0, []];
        isHidden = ['1', 'true'].includes(token.attributes.hidden ?? '');
      } else if (token.name === 'row') {
        if (isHidden && cells.length > 0) hiddenRows += 1;
        mergedCells += merged.fill(cells, rowNumber);
        rows.add(isHidden && skipsHidden ? [] : cells);
      } else if (token.name === 'c' && isOpen) {
        column = columnOf(token.attributes, column);
        cell = newCell(token.attributes);
        inlineText.take();
      } else if (token.name === 'c' && cell) {
        put(cells, column, toCellText({ ...cell, inlineText: inlineText.take() }, context));
        [cell, isValue] = [null, false];
      } else if (token.name === 'v') {
        isValue = isOpen;
        if (cell) cell.hasValue = true;
      } else if (token.name === 'f' && cell) cell.isFormula = true;
      else if (cell) inlineText.add(token);
      if (token.name === 'sheetData' && !isOpen) isComplete = true;
      if (token.name === 'mergeCell' && isOpen) merged.add(token.attributes.ref);
    }
  }
  if (!isComplete) throw new TableFault('damaged_xlsx');
  return { hiddenRows, mergedCells };
}

type Attributes = (XmlToken & { kind: 'open' })['attributes'];

/** Returns the number of a row. Rows that are not stored are blank. */
function skipTo({ r }: Attributes, before: number, rows: RowWriter): number {
  const rowNumber = Number(r ?? before + 1);
  if (!Number.isSafeInteger(rowNumber) || rowNumber <= before || rowNumber > maxRowNumber) {
    throw new TableFault('damaged_xlsx');
  }
  for (let blank = before + 1; blank < rowNumber; blank += 1) rows.add([]);
  return rowNumber;
}

const maxColumn = 16_384;

/** Returns the number of a cell's column, from 1: that of its reference, such as `AB12`, else the next one. */
function columnOf({ r }: Attributes, before: number): number {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(r ?? '')?.[0];
  if (letters === undefined) return before + 1;
  const column = toColumnNumber(letters);
  if (column <= before || column > maxColumn) throw new TableFault('damaged_xlsx');
  return column;
}

function newCell({ s: style = '0', t: type = 'n' }: Attributes): StoredCell {
  return { type, style: Number(style), value: '', inlineText: '', isFormula: false, hasValue: false };
}

/** Puts a text at a column, from 1, with blank cells before it. */
function put(cells: string[], column: number, text: string | null): void {
  if (text === null) throw new TableFault('damaged_xlsx');
  if (text === '') return;
  while (cells.length < column - 1) cells.push('');
  cells.push(text);
}
