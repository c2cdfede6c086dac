import { type Entry, fromBufferPromise, validateFileName, type ZipFile } from 'yauzl';
import { TableFault } from './table-fault.ts';
import { tableLimits } from './table-limits.ts';
import { decodeZipName } from './zip-name.ts';

/**
 * A file in a ZIP, as its central directory describes it. `position` counts from 1. `unpack` throws TableFault when it has
 * another size than the directory says, as bombs do. Its checksum is not compared.
 */
export type ZipEntry = { name: string; position: number; sizeBytes: number; unpack(): AsyncGenerator<Buffer> };

const isUtf8 = 0x800;
const localHeaderBytes = 30;
/** What a spreadsheet or an index may have besides the documents: folders, and files of the system. */
const maxEntries = tableLimits.documents + 500;

/**
 * Returns the files in a ZIP; folders are left out. Reads only the central directory: nothing is unpacked yet. Throws
 * TableFault for paths that lead out of the archive, for more bytes or files than the limits, for files that share their
 * bytes or their name, and for encrypted and damaged archives.
 */
export async function readZipDirectory(bytes: Buffer): Promise<ZipEntry[]> {
  try {
    return await readEntries(await fromBufferPromise(bytes, { decodeStrings: false }), bytes);
  } catch (error) {
    throw toFault(error);
  }
}

async function readEntries(zip: ZipFile, bytes: Buffer): Promise<ZipEntry[]> {
  if (zip.entryCount > maxEntries) throw new TableFault('zip_too_large');
  const { unpackedBytes: most, unpackedRatio, alwaysUnpackedBytes } = tableLimits;
  const maxBytes = Math.min(most, Math.max(alwaysUnpackedBytes, bytes.length * unpackedRatio));
  let unpackedBytes = 0;
  const entries: ZipEntry[] = [];
  const places: { from: number; to: number }[] = [];
  for await (const entry of zip.eachEntry()) {
    const [position, sizeBytes, from] = [zip.entriesRead, entry.uncompressedSize, entry.relativeOffsetOfLocalHeader];
    const name = decodeZipName(entry.fileNameRaw, (entry.generalPurposeBitFlag & isUtf8) !== 0);
    if (entry.isEncrypted()) throw new TableFault('damaged_zip');
    if (leadsOut(name)) throw new TableFault('zip_path', { count: position });
    unpackedBytes += sizeBytes;
    if (unpackedBytes > maxBytes) throw new TableFault('zip_too_large');
    places.push({ from, to: from + localHeaderSize(bytes, from) + entry.compressedSize });
    if (!name.endsWith('/')) entries.push({ name, position, sizeBytes, unpack: () => unpack(zip, entry) });
  }
  places.sort((a, b) => a.from - b.from);
  // Bombs say the same bytes many times. An index cannot tell two documents with one name apart.
  const isShared = places.some(({ to }, index) => to > (places[index + 1]?.from ?? Number.POSITIVE_INFINITY));
  if (isShared || new Set(entries.map(({ name }) => name)).size < entries.length) throw new TableFault('damaged_zip');
  return entries;
}

/** The extra field of a local header may be longer than that in the directory, and move the bytes into another file. */
function localHeaderSize(bytes: Buffer, from: number): number {
  if (from + localHeaderBytes > bytes.length) throw new TableFault('damaged_zip');
  return localHeaderBytes + bytes.readUInt16LE(from + 26) + bytes.readUInt16LE(from + 28);
}

function leadsOut(name: string): boolean {
  return validateFileName(name.replaceAll('\\', '/')) !== null || name.includes('\0');
}

async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* await zip.openReadStreamPromise(entry);
  } catch (error) {
    throw toFault(error);
  }
}

/** The library has no error codes. */
function toFault(error: unknown): TableFault {
  if (error instanceof TableFault) return error;
  const isTooLarge = error instanceof Error && error.message.startsWith('too many bytes in the stream');
  return new TableFault(isTooLarge ? 'zip_too_large' : 'damaged_zip', {}, { cause: error });
}
