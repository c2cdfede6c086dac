import { type LikelyEncoding, rankEncodings } from './encoding/rank-encodings.ts';
import type { TableEncoding } from './encoding/table-encodings.ts';
import { TableFault } from './table-fault.ts';

/** `likely`: the readings to choose from, when the letters of the text do not tell which is right. */
export type DetectedEncoding = { encoding: TableEncoding; bomBytes: number; likely?: LikelyEncoding[] };

/** Of a file without a BOM, this many bytes show whether it is UTF-16. */
const sampleBytes = 4_096;
const lineFeed = 0x0a;

/**
 * Returns the encoding of a text file: that of its BOM, else UTF-8 if all its bytes are, else that whose letters make up
 * words. Throws TableFault for NUL bytes, and for a file in which UTF-8 and another encoding are mixed.
 */
export function detectEncoding(bytes: Buffer): DetectedEncoding {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return checked(bytes, 3);
  if (bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) return { encoding: 'utf-16le', bomBytes: 2 };
  if (bytes.subarray(0, 2).equals(Buffer.from([0xfe, 0xff]))) return { encoding: 'utf-16be', bomBytes: 2 };
  return findUtf16(bytes) ?? checked(bytes, 0);
}

function checked(bytes: Buffer, bomBytes: number): DetectedEncoding {
  const nulAt = bytes.indexOf(0);
  if (nulAt >= 0) throw new TableFault('nul_bytes', { line: lineAt(bytes, nulAt) });
  if (isUtf8(bytes)) return { encoding: 'utf-8', bomBytes };
  const { invalidAt, validCount, invalidCount, firstValidAt } = countSequences(bytes);
  // Other encodings have a few pairs of characters that are valid UTF-8 by accident. Mixed text has many.
  if (bomBytes > 0 || validCount >= invalidCount)
    throw new TableFault('mixed_encodings', { line: lineAt(bytes, invalidAt) });
  if (validCount * 10 > invalidCount) throw new TableFault('mixed_encodings', { line: lineAt(bytes, firstValidAt) });
  const likely = rankEncodings(bytes);
  return {
    encoding: likely[0]?.encoding ?? 'windows-1252',
    bomBytes: 0,
    ...(likely.length > 1 && { likely }),
  };
}

/** Western text in UTF-16 has a zero in nearly every second byte. */
function findUtf16(bytes: Buffer): DetectedEncoding | null {
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Few letters of other alphabets have a zero. Line breaks have one.
  const least = (lineBreak: string) => sample.length * (sample.includes(lineBreak) ? 0.05 : 0.4);
  if (odd > least('\n\0') && even * 20 < odd) return { encoding: 'utf-16le', bomBytes: 0 };
  if (even > least('\0\n') && odd * 20 < even) return { encoding: 'utf-16be', bomBytes: 0 };
  return null;
}

function isUtf8(bytes: Buffer): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const stepBytes = 1024 * 1024;
  try {
    // In steps: the text of the whole file would take twice its size.
    for (let at = 0; at < bytes.length; at += stepBytes)
      decoder.decode(bytes.subarray(at, at + stepBytes), { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** Counts the sequences of several bytes that are valid UTF-8, and the other bytes above 0x7f. */
function countSequences(bytes: Buffer) {
  let [validCount, invalidCount, invalidAt, firstValidAt] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    const length =
      byte >= 0xc2 && byte <= 0xdf ? 2 : byte >= 0xe0 && byte <= 0xef ? 3 : byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
    const rest = bytes.subarray(at + 1, at + length);
    if (length > 0 && rest.length === length - 1 && rest.every((each) => each >= 0x80 && each <= 0xbf)) {
      if (validCount === 0) firstValidAt = at;
      validCount += 1;
      at += length - 1;
    } else {
      if (invalidCount === 0) invalidAt = at;
      invalidCount += 1;
    }
  }
  return { validCount, invalidCount, invalidAt, firstValidAt };
}

function lineAt(bytes: Buffer, position: number): number {
  let line = 1;
  for (let at = bytes.indexOf(lineFeed); at >= 0 && at < position; at = bytes.indexOf(lineFeed, at + 1)) line += 1;
  return line;
}
