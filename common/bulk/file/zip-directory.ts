import { inflateRawSync } from 'node:zlib';
import { TableFault } from './table-fault.ts';
import { tableLimits } from './table-limits.ts';
import { decodeZipName } from './zip-name.ts';

/** A file in a ZIP, as its central directory describes it. `position` counts from 1. */
export type ZipEntry = { name: string; position: number; sizeBytes: number; method: number; packed: Buffer };

const signatures = { end: 0x06054b50, entry: 0x02014b50, local: 0x04034b50 } as const;
const endBytes = 22;
const maxCommentBytes = 65_535;
const isEncrypted = 0x1;
const isUtf8 = 0x800;
/** What a spreadsheet or an index may have besides the documents: folders, and files of the system. */
const maxEntries = tableLimits.documents + 500;

/**
 * Returns the files in a ZIP; folders are left out. Reads only the central directory: nothing is unpacked yet. Throws
 * TableFault for paths that lead out of the archive, for more bytes or files than the limits, and for encrypted, damaged
 * and ZIP64 archives.
 */
export function readZipDirectory(bytes: Buffer): ZipEntry[] {
  try {
    return readEntries(bytes);
  } catch (error) {
    // An offset beyond the end of the file.
    if (error instanceof RangeError) throw new TableFault('damaged_zip');
    throw error;
  }
}

function readEntries(bytes: Buffer): ZipEntry[] {
  const endAt = findEnd(bytes);
  const count = bytes.readUInt16LE(endAt + 10);
  if (count > maxEntries) throw new TableFault('zip_too_large');
  let at = bytes.readUInt32LE(endAt + 16);
  let unpackedBytes = 0;
  const entries: ZipEntry[] = [];
  for (let position = 1; position <= count; position += 1) {
    if (bytes.readUInt32LE(at) !== signatures.entry) throw new TableFault('damaged_zip');
    const flags = bytes.readUInt16LE(at + 8);
    const [packedBytes, sizeBytes] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const nameEnd = at + 46 + (nameBytes ?? 0);
    const name = decodeZipName(bytes.subarray(at + 46, nameEnd), (flags & isUtf8) !== 0);
    if (flags & isEncrypted || packedBytes === 0xffffffff || sizeBytes === 0xffffffff)
      throw new TableFault('damaged_zip');
    if (leadsOut(name)) throw new TableFault('zip_path', { count: position });
    unpackedBytes += sizeBytes;
    if (unpackedBytes > tableLimits.unpackedBytes) throw new TableFault('zip_too_large');
    if (!name.endsWith('/')) {
      const packed = readPacked(bytes, bytes.readUInt32LE(at + 42), packedBytes);
      entries.push({ name, position, sizeBytes, method: bytes.readUInt16LE(at + 10), packed });
    }
    at = nameEnd + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  // An index cannot tell two documents with one name apart.
  if (new Set(entries.map(({ name }) => name)).size < entries.length) throw new TableFault('damaged_zip');
  return entries;
}

function findEnd(bytes: Buffer): number {
  const from = Math.max(0, bytes.length - endBytes - maxCommentBytes);
  for (let at = bytes.length - endBytes; at >= from; at -= 1) {
    if (bytes.readUInt32LE(at) === signatures.end) return at;
  }
  throw new TableFault('damaged_zip');
}

function readPacked(bytes: Buffer, localAt: number, packedBytes: number): Buffer {
  if (bytes.readUInt32LE(localAt) !== signatures.local) throw new TableFault('damaged_zip');
  const from = localAt + 30 + bytes.readUInt16LE(localAt + 26) + bytes.readUInt16LE(localAt + 28);
  if (from + packedBytes > bytes.length) throw new TableFault('damaged_zip');
  return bytes.subarray(from, from + packedBytes);
}

function leadsOut(name: string): boolean {
  return /^[/\\]|^[a-z]:/i.test(name) || name.includes('\0') || name.split(/[/\\]/).includes('..');
}

/** Unpacks an entry. Throws TableFault when it has another size than the directory says, as bombs do. */
export function unpackEntry({ method, packed, sizeBytes }: ZipEntry): Buffer {
  if (method === 0 && packed.length === sizeBytes) return packed;
  if (method !== 8) throw new TableFault('damaged_zip');
  try {
    // One byte more than declared is enough to notice.
    const unpacked = inflateRawSync(packed, { maxOutputLength: sizeBytes + 1 });
    if (unpacked.length === sizeBytes) return unpacked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TableFault('zip_too_large');
  }
  throw new TableFault('damaged_zip');
}
