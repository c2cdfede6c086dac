import { open } from 'node:fs/promises';
import type { UploadMimeType } from '#common/mime-types.ts';
import type { FileContent } from '../file-content.ts';
import type { DocumentFault } from '../isolation/document-error.ts';

const headBytes = 4096;
/** PDF readers accept the header anywhere in the first 1,024 bytes. */
const pdfHeaderWithinBytes = 1024;
/** The end record of a ZIP has 22 bytes and a comment of at most 65,535 bytes. */
const zipTailBytes = 22 + 65_535;
const zipEndMark = Buffer.from('PK\x05\x06', 'latin1');

const heifBrands = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1'];
/** HEIF containers with another codec (AV1). They list `mif1` as compatible too. */
const foreignBrands = ['avif', 'avis'];

/** Signatures of other formats. Such a file is not a PDF even when `%PDF-` follows. */
const foreignHeads: readonly RegExp[] = [
  /^PK/,
  /^\xff\xd8\xff/,
  /^\x89PNG/,
  /^GIF8/,
  /^MZ/,
  /^\x7fELF/,
  /^\s*<[a-z!?]/i,
];

export type SniffedType = 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/heif';

/** Returns the type of a file from its first 4 kB; null for a type that is not accepted. */
export function sniff(head: Uint8Array): SniffedType | null {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, headBytes)).toString('latin1');

  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.slice(4, 8) === 'ftyp') return isHeif(text) ? 'image/heif' : null;

  const isPdf = text.slice(0, pdfHeaderWithinBytes).includes('%PDF-');
  return isPdf && !foreignHeads.some((pattern) => pattern.test(text)) ? 'application/pdf' : null;
}

/** Reads the `ftyp` box: length, major brand, version, compatible brands. */
function isHeif(text: string): boolean {
  const boxBytes = Buffer.from(text.slice(0, 4), 'latin1').readUInt32BE();
  const brands = text.slice(16, Math.min(boxBytes, headBytes)).match(/.{4}/gs) ?? [];
  const major = text.slice(8, 12);

  if (foreignBrands.includes(major)) return false;
  return [major, ...brands].some((brand) => heifBrands.includes(brand));
}

/**
 * Compares a file's bytes with its declared type. Returns null when they match. Phones and libraries disagree on which
 * containers are `image/heic` and which `image/heif`, so the two are treated as one type.
 */
export async function findTypeFault(file: FileContent, declared: UploadMimeType): Promise<DocumentFault | null> {
  return await withEnds(file, async (head, readTail) => {
    const expected: SniffedType = declared === 'image/heic' ? 'image/heif' : declared;
    if (sniff(head) !== expected) return 'not_what_declared';
    if (expected !== 'application/pdf') return null;
    return endsAsZip(await readTail()) ? 'two_types_at_once' : null;
  });
}

type UseEnds<T> = (head: Buffer, readTail: () => Promise<Buffer> | Buffer) => Promise<T>;

async function withEnds<T>(file: FileContent, use: UseEnds<T>): Promise<T> {
  if ('bytes' in file) return await use(file.bytes.subarray(0, headBytes), () => file.bytes.subarray(-zipTailBytes));
  const opened = await open(file.path, 'r');
  try {
    const { size } = await opened.stat();
    const head = await readAt(opened, 0, headBytes);
    return await use(head, () => readAt(opened, Math.max(0, size - zipTailBytes), zipTailBytes));
  } finally {
    await opened.close();
  }
}

/**
 * Returns whether a ZIP reader would accept the end of this file: an end record whose comment ends at the last byte.
 * Without the exact end, a ZIP attached inside a valid PDF would match.
 */
export function endsAsZip(tail: Uint8Array): boolean {
  const bytes = Buffer.from(tail.buffer, tail.byteOffset, tail.length);
  for (let at = bytes.indexOf(zipEndMark); at >= 0; at = bytes.indexOf(zipEndMark, at + 1)) {
    if (at + 22 <= bytes.length && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length) return true;
  }
  return false;
}

async function readAt(file: Awaited<ReturnType<typeof open>>, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
