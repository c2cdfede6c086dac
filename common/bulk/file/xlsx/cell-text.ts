import { format } from 'numfmt';
import type { Language } from '#common/languages.ts';
import { decimalSign } from '#common/templates/text/decimal-sign.ts';
import { isDateText } from '../date-text.ts';
import { type NumberFormat, numberLocales } from './number-formats.ts';
import { unescapeXstring } from './rich-text.ts';

/**
 * A cell as it is stored: its type (`t`), the index of its style (`s`), its value (`v`), its own text (`is`), and whether
 * it has a formula (`f`) and a value, which may be an empty text.
 */
export type StoredCell = {
  type: string;
  style: number;
  value: string;
  inlineText: string;
  isFormula: boolean;
  hasValue: boolean;
};

export type CellContext = {
  sharedStrings: readonly string[];
  formats: readonly NumberFormat[];
  isFrom1904: boolean;
  /** The file was written by a program that leaves all formulas to the spreadsheet: its zeros are no results. */
  isUncalculated: boolean;
  language: Language;
};

/** Stands for a formula whose result is not in the file, as spreadsheets write errors. */
const withoutResult = '#NO RESULT!';

/**
 * Returns the text of a cell (ECMA-376 Part 1, 18.18.11) as a spreadsheet in this language shows it, but long numbers in
 * full and without an exponent. A formula counts with its last result. Null for a value that its type does not allow.
 */
export function toCellText(cell: StoredCell, context: CellContext): string | null {
  const { type, style, value } = cell;
  const shape = context.formats[style] ?? plain;
  if (type === 'inlineStr') return showText(cell.inlineText, shape);
  if (cell.isFormula && lacksResult(cell, context)) return withoutResult;
  if (value === '') return '';
  if (type === 'e') return /^#(N\/A|.*[!?])$/.test(value) ? value : '#VALUE!';
  if (type === 's') {
    const text = context.sharedStrings[Number(value)];
    return text === undefined ? null : showText(text, shape);
  }
  if (type === 'str') return showText(unescapeXstring(value), shape);
  if (type === 'b') return value === '1' || value === 'true' ? 'true' : 'false';
  if (type === 'd') return showDate(Date.parse(value) / dayMs + daysTo1970, shape, context);
  if (type !== 'n') return null;
  return showNumber(Number(value), shape, context);
}

const plain: NumberFormat = { code: 'General', hasDay: false, hasYear: false };
const isoDate: NumberFormat = { code: 'yyyy-mm-dd', hasDay: true, hasYear: true };

function lacksResult({ type, value, hasValue }: StoredCell, { isUncalculated }: CellContext): boolean {
  if (value === '') return type !== 'str' || !hasValue;
  return isUncalculated && type === 'n' && value === '0';
}

function showText(text: string, { code }: NumberFormat): string {
  return code.includes('@') && code !== '@' && text !== '' ? format(code, text, { nbsp: false }).trim() : text;
}

function showNumber(number: number, shape: NumberFormat, { isFrom1904, language }: CellContext): string | null {
  if (!Number.isFinite(number)) return null;
  if (shape.code === 'General' || shape.code === '@') return toNumberText(number, language);
  const serial = isFrom1904 && (shape.hasDay || shape.hasYear) ? number + daysFrom1900To1904 : number;
  const show = ({ code }: NumberFormat) =>
    // The font of letters lacks the narrow space.
    format(code, serial, { locale: numberLocales[language], nbsp: false }).trim().replaceAll('\u202f', '\u00a0');
  const shown = show(shape);
  // A format can hide a number, and a column can be too narrow for a date. The number is there.
  if ((shown === '' && number !== 0) || shown.startsWith('##')) return toNumberText(number, language);
  // As 01/02 it would pass for the number of a house.
  return shape.hasDay && !shape.hasYear && !isDateText(shown) ? show(isoDate) : shown;
}

function showDate(serial: number, shape: NumberFormat, context: CellContext): string | null {
  return showNumber(serial, shape.hasDay || shape.hasYear ? shape : isoDate, { ...context, isFrom1904: false });
}

/** Significant digits that spreadsheets show. They store 0.1 + 0.2 with 17. */
const shownDigits = 15;

function toNumberText(number: number, language: Language): string {
  // Without an exponent: a long customer number stays one.
  if (Number.isInteger(number)) return BigInt(number).toString();
  return String(Number(number.toPrecision(shownDigits))).replace('.', decimalSign(language));
}

const dayMs = 24 * 60 * 60 * 1000;
/** Days from the first day of a spreadsheet, which counts a 29 February 1900 that never was. */
const daysTo1970 = 25_569;
const daysFrom1900To1904 = 1_462;
