/** Encodings of one byte per character, the most likely one first: of two that read a list alike, it is named. */
export const singleByteEncodings = [
  'windows-1252',
  'windows-1250',
  'iso-8859-2',
  'windows-1254',
  'windows-1251',
  'windows-1253',
  'cp850',
  'cp852',
  'cp437',
  'macintosh',
] as const;
export type SingleByteEncoding = (typeof singleByteEncodings)[number];

/** Too rare to be guessed, and only read when they are chosen. */
const rareEncodings = ['iso-8859-7', 'windows-1257', 'koi8-r', 'cp866'] as const;

/** What a list can be chosen to be in. */
export const chosenEncodings = ['utf-8', ...singleByteEncodings, ...rareEncodings] as const;
export const tableEncodings = ['utf-16le', 'utf-16be', ...chosenEncodings] as const;
export type TableEncoding = (typeof tableEncodings)[number];

export function isUnicode(encoding: TableEncoding): boolean {
  return encoding.startsWith('utf-');
}
