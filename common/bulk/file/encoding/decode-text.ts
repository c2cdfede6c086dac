import iconv from 'iconv-lite';
import { isUnicode, type TableEncoding } from './table-encodings.ts';

const stepBytes = 64 * 1024;

/** Decodes bytes in steps: the text of a whole file would take twice its size. */
export function* decodeText(bytes: Buffer, encoding: TableEncoding): Generator<string> {
  // Node.js does not know the code pages of DOS.
  const decoder = isUnicode(encoding) ? new TextDecoder(encoding) : null;
  for (let at = 0; at < bytes.length; at += stepBytes) {
    const step = bytes.subarray(at, at + stepBytes);
    yield decoder === null ? decodeBytes(step, encoding) : decoder.decode(step, { stream: true });
  }
}

/** Decodes a short text in an encoding of one byte per character. Bytes without a character become U+FFFD. */
export function decodeBytes(bytes: Buffer, encoding: TableEncoding): string {
  return iconv.decode(bytes, encoding);
}
