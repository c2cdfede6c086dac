import { decodeBytes } from './encoding/decode-text.ts';

/**
 * Returns the name of a file in a ZIP. Names without the mark of UTF-8 are UTF-8 all the same when macOS wrote them, and
 * in the code page of DOS when Windows did, which in Western Europe is 850.
 */
export function decodeZipName(bytes: Buffer, isMarkedUtf8: boolean): string {
  if (isMarkedUtf8) return bytes.toString('utf8');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeBytes(bytes, 'cp850');
  }
}

/**
 * Returns a name of a document as it is compared: macOS writes accents as characters of their own, some programs of Windows
 * separate folders with a backslash, and an index may begin with `./`.
 */
export function foldZipName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
}
