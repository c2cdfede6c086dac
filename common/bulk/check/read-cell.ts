import type { Language } from '#common/languages.ts';
import { withDecimalSign } from '#common/templates/text/decimal-sign.ts';
import { isDateText } from '../file/date-text.ts';
import type { RowFaultCode } from '../model/row-faults.ts';

/** What a spreadsheet or a program made of a cell. The first three cannot be mended. */
export type CellChange = Extract<
  RowFaultCode,
  | 'cell_error'
  | 'scientific_notation'
  | 'date_in_address'
  | 'null_word'
  | 'decimals_removed'
  | 'decimal_sign'
  | 'many_digits'
>;
export type ReadCell = { text: string; change: CellChange | null };

/** What a cell is for: a field of the letter, or a variable of a template in a language. */
export type CellUse = { field: string } | { language: Language };

/** Fields with numbers in which spreadsheets see dates. */
const numbered: readonly string[] = ['line1', 'line2', 'box', 'zip'];
/** Fields whose numbers programs keep as texts by an apostrophe. */
const marked: readonly string[] = [...numbered, 'reference'];

/** How programs write that there is no value. */
const nullWord = /^(?:NULL|null|[(<](?:NULL|null)[)>]|nan|NaN|NAN|NaT|None|undefined|<NA>|\\N|#N\/[ABD]|#NV)$/;
/** How people write it, also in the text of a letter. */
const absent = /^(?:NONE|none|nil|NIL|Null|\[null\]|#NB|N\/A|n\/a|n\.?v\.?t\.?|k\. ?A\.|s\.o\.|geen|néant|[-–—/._]+)$/;
const truth = /^(?:true|false|waar|onwaar|vrai|faux|wahr|falsch)$/i;
/** What programs add when they join columns. */
const nullEnding = /(?:(?:^|(?<! ) )(?:NULL|null|nan|NaN|undefined))+$/;
const nullStart = /^(?:NULL|null|nan|NaN|undefined), ?(?=.)/;
const error = /^#(?:[\p{Lu}¡¿][\p{Lu}\d ./_]*[!?]|GETTING_DATA)$|^#{3,}$|^Err:\d{3}$|^\[object \w+\]$|^\{["{].*\}$/u;
const scientific = /^[-+]?\d{1,3}(?:[.,]\d+)?E[-+]\d+$|^[-+]?\d[.,]\d+E\d+$/i;
/** One half is a number of a house only behind another number: 12½. */
const fraction = /(?<!\d ?)[¼½¾⅐-⅞]/u;
const dateInside =
  /\b(?:19|20)\d\d-[01]\d-[0-3]\d\b|(?<=\D )\d{1,2}-(?:jan|feb|apr|jun|jul|aug|sep|sept|oct|okt|nov|dec)$/i;
const decimals = /^(-?\d+)[.,]0$/;
/** Also where a program has joined a number with its street or box. */
const addressDecimals = /(?<![\d.,])(\d+)[.,]0+(?![\d.,])/g;
/** Spreadsheets make these of other numbers, such as 1/2. */
const share = /^0[.,]\d+$|^\d+(?:[.,]\d+)? ?%$/;
const zipDecimals = /^(\d{1,3}(?:[.,'’]\d{3})+|\d+)(?:[.,]0+)?(?=$| [A-Z]{2}$)/;
/** A cell that is written so is a text for every spreadsheet. */
const quoted = /^="([^"]*)"$/;

/**
 * Returns a cell as its owner meant it, and what was made of it meanwhile. An apostrophe before such a text keeps it as it
 * is, as in spreadsheets. Our CSV files also put one before a text that a spreadsheet would run as a formula.
 */
export function readCell(cell: string | undefined, use: CellUse): ReadCell {
  const text = (cell ?? '').trim();
  const inQuotes = quoted.exec(text)?.[1];
  if (inQuotes !== undefined) return { text: inQuotes.trim(), change: null };
  if (!text.startsWith("'")) return mend(text, use);
  const kept = text.slice(1);
  const isNumber = 'field' in use && marked.includes(use.field) && /^\d/.test(kept);
  const isMarked = isNumber || /^[=+\-@＝＋－＠]/u.test(kept) || mend(kept, use).change !== null;
  return { text: isMarked ? kept : text, change: null };
}

/** Returns a cell of any column. It is empty when a program wrote that there is no value. */
export function cleanCell(cell: string | undefined): string {
  return readCell(cell, { field: '' }).text;
}

function mend(text: string, use: CellUse): ReadCell {
  const field = 'field' in use ? use.field : null;
  const mended = (change: CellChange, to = text): ReadCell => ({ text: to, change });
  if (nullWord.test(text)) return mended('null_word', '');
  if (field !== null && absent.test(text)) return mended('null_word', '');
  if (field !== null && (nullEnding.test(text) || nullStart.test(text)))
    return mended('null_word', text.replace(nullStart, '').replace(nullEnding, ''));
  if (error.test(text)) return mended('cell_error');
  if (scientific.test(text)) return mended('scientific_notation');
  const isNumbered = field !== null && numbered.includes(field);
  if (isNumbered && truth.test(text)) return mended('null_word', '');
  if (isNumbered && [fraction, dateInside, share].some((each) => each.test(text))) return mended('date_in_address');
  if (isNumbered && isDateText(text)) return mended('date_in_address');
  const whole =
    field === 'zip'
      ? text.replace(zipDecimals, withoutSigns)
      : text.replace(isNumbered ? addressDecimals : decimals, '$1');
  if (whole !== text) return mended('decimals_removed', whole);
  const localized = 'language' in use ? withDecimalSign(text, use.language) : text;
  if (localized !== text) return mended('decimal_sign', localized);
  return /^\d{16,}$/.test(text) ? mended('many_digits') : { text, change: null };
}

const withoutSigns = (_: string, digits: string) => digits.replaceAll(/\D/g, '');
