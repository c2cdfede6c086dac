import { type FileHandle, open } from 'node:fs/promises';
import type { FileContent } from '../file-content.ts';
import { type PageGeometry, readGeometry } from './page-geometry.ts';
import { type Entries, parseDictionary } from './parse-dictionary.ts';

/** A page of a print file, without what it draws. */
export type PrintPage = {
  objectNumber: number;
  /** The entries of its dictionary as written, without the annotations. */
  entries: string;
  /** References to its annotations, separated by spaces. */
  annotations: string;
  geometry: PageGeometry;
};

/** The structure of a print file, and the pages that were asked for. */
export type PrintFileStructure = {
  sizeBytes: number;
  /** Position of the cross-reference table. */
  tableAt: number;
  /** One more than the highest object number. */
  objectCount: number;
  pageTreeNumber: number;
  pageCount: number;
  /** References to all pages, in order. */
  kids: string;
  /** The pages by their index. */
  pages: ReadonlyMap<number, PrintPage>;
};

/** Bytes that are read of an object at first, and at most: references to 100,000 pages or annotations. */
const firstBytes = 4096;
const maxObjectBytes = 2 * 1024 * 1024;
const entryBytes = 20;
const maxTailBytes = 256;

const catalogNumber = 1;
const tail = /trailer\n<< \/Size ([1-9]\d{0,9}) \/Root 1 0 R >>\nstartxref\n([1-9]\d{0,9})\n%%EOF\n$/;
const tableEntry = /^(\d{10}) 00000 n \n$/;
const reference = /^([1-9]\d{0,9}) 0 R$/;
const references = /^\[((?:\s*[1-9]\d{0,9} 0 R)*)\s*\]$/;

/**
 * Reads the structure of a PDF that our own writer wrote, and the pages for which `isWanted` returns true. Reads only the
 * end of the file, the page tree and these pages, so the time does not depend on the size of the file. Throws an Error for
 * anything that our writer does not write: what a child process wrote is not to be trusted.
 */
export async function readPrintFile(
  content: FileContent,
  isWanted: (index: number) => boolean,
): Promise<PrintFileStructure> {
  if ('bytes' in content) return await readStructure(readerOfBytes(content.bytes), isWanted);
  const file = await open(content.path, 'r');
  try {
    return await readStructure(await readerOfFile(file), isWanted);
  } finally {
    await file.close();
  }
}

/** Reads up to `length` bytes from a position, fewer at the end of the file. Text is Latin-1. */
type Reader = { sizeBytes: number; read(at: number, length: number): Promise<string> };

function readerOfBytes(bytes: Buffer): Reader {
  return { sizeBytes: bytes.length, read: async (at, length) => bytes.toString('latin1', at, at + length) };
}

async function readerOfFile(file: FileHandle): Promise<Reader> {
  const { size } = await file.stat();
  return {
    sizeBytes: size,
    async read(at, length) {
      const wanted = Math.min(length, size - at);
      const buffer = Buffer.allocUnsafe(wanted);
      let done = 0;
      while (done < wanted) {
        const { bytesRead } = await file.read(buffer, done, wanted - done, at + done);
        if (bytesRead === 0) throw new Error('Invalid print file: it became shorter.');
        done += bytesRead;
      }
      return buffer.toString('latin1');
    },
  };
}

type Table = Pick<PrintFileStructure, 'tableAt' | 'objectCount'> & { entriesAt: number };

async function readStructure(reader: Reader, isWanted: (index: number) => boolean): Promise<PrintFileStructure> {
  const table = await readTable(reader);
  const catalog = await readObject(reader, table, catalogNumber);
  if (catalog.get('Type') !== '/Catalog') throw new Error('Invalid print file: object 1 is not a catalog.');
  const pageTreeNumber = toNumber(catalog.get('Pages'));
  const tree = await readObject(reader, table, pageTreeNumber);
  const [, kids] = references.exec(tree.get('Kids') ?? '') ?? [];
  if (tree.get('Type') !== '/Pages' || kids === undefined) throw new Error('Invalid print file: no flat page tree.');
  const numbers = Array.from(kids.matchAll(/(\d+) 0 R/g), ([, objectNumber]) => Number(objectNumber));
  if (
    numbers.length === 0 ||
    tree.get('Count') !== String(numbers.length) ||
    new Set(numbers).size !== numbers.length
  ) {
    throw new Error('Invalid print file: the page tree does not list each page once.');
  }

  const pages = new Map<number, PrintPage>();
  for (const [index, objectNumber] of numbers.entries()) {
    if (!isWanted(index)) continue;
    pages.set(index, toPage(objectNumber, await readObject(reader, table, objectNumber)));
  }
  const { tableAt, objectCount } = table;
  const pageCount = numbers.length;
  return { sizeBytes: reader.sizeBytes, tableAt, objectCount, pageTreeNumber, pageCount, kids: kids.trim(), pages };
}

async function readTable(reader: Reader): Promise<Table> {
  const from = Math.max(0, reader.sizeBytes - maxTailBytes);
  const end = await reader.read(from, maxTailBytes);
  const [trailer = '', size, position] = tail.exec(end) ?? [];
  const objectCount = Number(size);
  const tableAt = Number(position);
  const head = `xref\n0 ${objectCount}\n`;
  const entriesAt = tableAt + head.length;
  const isWhole = entriesAt + objectCount * entryBytes === reader.sizeBytes - trailer.length;
  if (trailer === '' || !isWhole || (await reader.read(tableAt, head.length)) !== head) {
    throw new Error('Invalid print file: no cross-reference table at its end.');
  }
  return { tableAt, objectCount, entriesAt };
}

/** Reads an object that is a dictionary. */
async function readObject(reader: Reader, table: Table, objectNumber: number): Promise<Entries> {
  if (objectNumber >= table.objectCount) throw new Error(`Invalid print file: no object ${objectNumber}.`);
  const entry = await reader.read(table.entriesAt + objectNumber * entryBytes, entryBytes);
  const offset = Number(tableEntry.exec(entry)?.[1] ?? Number.NaN);
  if (!(offset < table.tableAt)) throw new Error(`Invalid print file: no object ${objectNumber}.`);

  const head = `${objectNumber} 0 obj\n`;
  for (let length = firstBytes; length <= maxObjectBytes; length *= 8) {
    const text = await reader.read(offset, Math.min(length, table.tableAt - offset));
    if (!text.startsWith(head)) throw new Error(`Invalid print file: object ${objectNumber} is somewhere else.`);
    const entries = parseDictionary(text.slice(head.length));
    if (entries) return entries;
  }
  throw new Error(`Invalid print file: object ${objectNumber} has no end or is too large.`);
}

function toPage(objectNumber: number, entries: Entries): PrintPage {
  if (entries.get('Type') !== '/Page') throw new Error(`Invalid print file: object ${objectNumber} is not a page.`);
  const [, annotations] = references.exec(entries.get('Annots') ?? '[]') ?? [];
  if (annotations === undefined) throw new Error(`Invalid print file: annotations of object ${objectNumber}.`);
  const kept = [...entries].filter(([name]) => name !== 'Annots');
  return {
    objectNumber,
    entries: kept.map(([name, value]) => `/${name} ${value}`).join(' '),
    annotations: annotations.trim(),
    geometry: readGeometry(entries),
  };
}

function toNumber(text: string | undefined): number {
  const [, objectNumber] = reference.exec(text ?? '') ?? [];
  if (objectNumber === undefined) throw new Error('Invalid print file: a reference is missing.');
  return Number(objectNumber);
}
