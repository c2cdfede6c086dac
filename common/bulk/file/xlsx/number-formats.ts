import type { ZipEntry } from '../zip-directory.ts';
import { readXml } from './read-xml.ts';

/** How the numbers of a cell style are shown. `digits`: at least this many, with leading zeros. */
export type NumberFormat = { kind: 'number' } | { kind: 'date' } | { kind: 'padded'; digits: number };

const plain: NumberFormat = { kind: 'number' };

/** Built-in formats of dates and times, also those of some languages (ECMA-376 Part 1, 18.8.30 `numFmt`). */
const dateFormats: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
];

/** Returns the number format of each cell style, by its index. */
export async function readNumberFormats(part: ZipEntry | undefined): Promise<NumberFormat[]> {
  const codes = new Map<string, string>();
  const formats: NumberFormat[] = [];
  let isCellStyle = false;
  for await (const tokens of readXml(part)) {
    for (const token of tokens) {
      if (token.kind === 'text') continue;
      if (token.name === 'cellXfs') isCellStyle = token.kind === 'open';
      if (token.kind !== 'open') continue;
      const { numFmtId: id = '0', formatCode = '' } = token.attributes;
      if (token.name === 'numFmt') codes.set(id, formatCode);
      if (token.name === 'xf' && isCellStyle) formats.push(toFormat(Number(id), codes.get(id)));
    }
  }
  return formats;
}

function toFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    return dateFormats.some(([from, to]) => id >= from && id <= to) ? { kind: 'date' } : plain;
  }
  // Postal codes and customer numbers are often numbers with such a format.
  if (/^0{2,20}$/.test(code)) return { kind: 'padded', digits: code.length };
  return isDate(code) ? { kind: 'date' } : plain;
}

/** A format with placeholders of digits is no date. What is quoted, escaped or in brackets is text, unless it is hours. */
function isDate(code: string): boolean {
  const words = code
    .toLowerCase()
    .replaceAll(/\[([hms]{1,2})\]/g, '$1')
    .replaceAll(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '')
    .replaceAll(/s\.0{1,3}/g, 's');
  return /[ymdhs]/.test(words) && !/[#0?%]|general/.test(words);
}
