/** Encodings of one byte per character, the most likely one first: of two that read a list alike, it is named. */
export const singleByteEncodings = [
  'windows-1252',
  'windows-1250',
  'windows-1254',
  'windows-1251',
  'windows-1253',
  'cp850',
  'cp852',
  'cp437',
  'macintosh',
] as const;
export type SingleByteEncoding = (typeof singleByteEncodings)[number];

export const tableEncodings = ['utf-8', 'utf-16le', 'utf-16be', ...singleByteEncodings] as const;
export type TableEncoding = (typeof tableEncodings)[number];

export function isSingleByte(encoding: TableEncoding): encoding is SingleByteEncoding {
  return singleByteEncodings.some((each) => each === encoding);
}
