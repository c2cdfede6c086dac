import type { NumberFormat } from './number-formats.ts';
import { unescapeXstring } from './rich-text.ts';

/** A cell as it is stored: its type (`t`), the index of its style (`s`), its value (`v`), and its own text (`is`). */
export type StoredCell = { type: string; style: number; value: string; inlineText: string };

export type CellContext = {
  sharedStrings: readonly string[];
  formats: readonly NumberFormat[];
  isFrom1904: boolean;
};

/**
 * Returns the text of a cell (ECMA-376 Part 1, 18.18.11): numbers as a person would write them, dates as `yyyy-mm-dd`. A
 * formula counts with its last result, and an error as empty. Null for a value that its type does not allow.
 */
export function toCellText({ type, style, value, inlineText }: StoredCell, context: CellContext): string | null {
  if (type === 'inlineStr') return inlineText;
  if (value === '' || type === 'e') return '';
  if (type === 's') return context.sharedStrings[Number(value)] ?? null;
  if (type === 'str') return unescapeXstring(value);
  if (type === 'b') return value === '1' || value === 'true' ? 'true' : 'false';
  if (type === 'd') return toDateText(Date.parse(value));
  if (type !== 'n') return null;
  const number = Number(value);
  if (!Number.isFinite(number)) return null;
  const format = context.formats[style] ?? { kind: 'number' };
  if (format.kind === 'date') return toDateText(toTime(number, context.isFrom1904));
  const text = toNumberText(number);
  return format.kind === 'padded' && /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text;
}

/** Significant digits that spreadsheets show. They store 0.1 + 0.2 with 17. */
const shownDigits = 15;

function toNumberText(number: number): string {
  // Without an exponent: a long customer number stays one.
  return Number.isInteger(number) ? BigInt(number).toString() : String(Number(number.toPrecision(shownDigits)));
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the time of a serial date, in milliseconds since 1970. Spreadsheets count a 29 February 1900 that never was. */
function toTime(serial: number, isFrom1904: boolean): number {
  const [from, days] = isFrom1904 ? [Date.UTC(1904, 0, 1), serial] : [Date.UTC(1899, 11, 30), serial];
  const lost = !isFrom1904 && serial > 0 && serial < 60 ? 1 : 0;
  return from + Math.round((days + lost) * dayMs);
}

function toDateText(time: number): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/T00:00:00\.000Z$/, '');
}
