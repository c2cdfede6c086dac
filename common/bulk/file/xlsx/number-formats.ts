import { getFormatDateInfo, getFormatFromId, isValidFormat } from 'numfmt';
import type { Language } from '#common/languages.ts';
import type { ZipEntry } from '../zip-directory.ts';
import { readXml } from './read-xml.ts';

/** How the numbers of a cell style are shown: the code of their format, and whether it shows parts of a date. */
export type NumberFormat = { code: string; hasDay: boolean; hasYear: boolean };

/** Numbers of English spreadsheets with euros and the day before the month. */
export const numberLocales: Record<Language, string> = { en: 'en-IE', fr: 'fr', nl: 'nl', de: 'de' };

/** Returns the number format of each cell style, by its index. Those built in (`numFmtId` below 164) have a language. */
export async function readNumberFormats(part: ZipEntry | undefined, language: Language): Promise<NumberFormat[]> {
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
      if (token.name === 'xf' && isCellStyle)
        formats.push(toFormat(codes.get(id) ?? getFormatFromId(Number(id), numberLocales[language])));
    }
  }
  return formats;
}

function toFormat(code: string | null): NumberFormat {
  if (code === null || !isValidFormat(code)) return { code: 'General', hasDay: false, hasYear: false };
  const { day, year } = getFormatDateInfo(code);
  return { code, hasDay: day, hasYear: year };
}
