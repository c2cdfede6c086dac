import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { childMain } from '#common/documents/isolation/child-main.ts';
import { isLanguage } from '#common/languages.ts';
import { repairTwiceEncoded } from './encoding/twice-encoded.ts';
import { type CsvFormat, readCsv } from './read-csv.ts';
import { readXlsx, type XlsxFormat, type XlsxReading } from './read-xlsx.ts';
import type { Reading } from './reading.ts';
import { createRowWriter, type RowWriter } from './row-writer.ts';
import { TableFault, type TableFaultName } from './table-fault.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

/** What else people upload as a list, by how it begins. Text in UTF-16 has zeros in between. */
const beginnings: readonly (readonly [RegExp, TableFaultName])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the signature of the format
  [/^\xd0\xcf\x11\xe0/, 'old_excel'],
  [/^%PDF|^\{\\rtf/, 'not_a_table'],
  [/^\W*<(!doctype html|html|head|meta|body|style|table|div)\b/i, 'html'],
  [/^\W*<\?xml\b/i, 'xml'],
];

/** What else is a ZIP, by the name of a file in it. */
const contents: readonly (readonly [RegExp, TableFaultName])[] = [
  [/^xl\/workbook\.bin$/, 'xlsb'],
  [/^word\/document\.xml$/, 'not_a_table'],
  [/(^|\/)Index(\.zip|\/[^/]+\.iwa)$/, 'numbers'],
];

const zipStarts = ['PK\x03\x04', 'PK\x05\x06'];

type TextOrSheet = CsvFormat | XlsxFormat;

const openDocument = 'application/vnd.oasis.opendocument';

/**
 * Reads a bulk file: `read-table.child.ts <path> <reading>` writes `rows.ndjson` to its folder. What the file is shows in
 * its bytes, whatever its name and type say.
 */
await childMain('too_hard', async ([path = '', reading = '', language]) => {
  const bytes = readFileSync(path);
  const wanted = JSON.parse(reading) as Reading;
  const rows = createRowWriter('rows.ndjson');
  let twiceEncoded = 0;
  const add = (cells: readonly string[]) => {
    const repaired = cells.map(repairTwiceEncoded);
    for (const [index, cell] of cells.entries()) if (repaired[index] !== cell) twiceEncoded += 1;
    rows.add(wanted.repairText ? repaired : cells);
  };
  try {
    const format = await readTable(
      bytes,
      { ...rows, add },
      { reading: wanted, language: isLanguage(language) ? language : 'en' },
    );
    rows.finish();
    return { format: { ...format, twiceEncoded }, width: rows.width() };
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    return { fault: error.fault, ...error.place };
  }
});

async function readTable(bytes: Buffer, rows: RowWriter, how: XlsxReading): Promise<object> {
  const start = bytes.toString('latin1', 0, 200).replaceAll('\0', '');
  refuse(beginnings, [start]);
  if (!zipStarts.some((each) => start.startsWith(each))) return await readCsv(bytes, rows, how.reading);

  const entries = await readZipDirectory(bytes);
  const names = entries.map(({ name }) => name);
  refuse(contents, names);
  if (await isOpenDocument(entries)) throw new TableFault('ods');
  if (names.includes('xl/workbook.xml')) return await readXlsx(entries, rows, how);
  const files = entries.filter(({ name }) => !isOfSystem(name));
  const [index, ...others] = files.filter(({ name }) => /\.(csv|txt|tsv|xlsx)$/i.test(name));
  if (!index || others.length > 0) throw new TableFault('zip_without_index');
  const format = await readInside(await buffer(index.unpack()), rows, how);
  // A list alone is only packed. With other files, it is their index.
  return files.length === 1 ? format : { ...format, kind: 'zip' };
}

async function readInside(bytes: Buffer, rows: RowWriter, how: XlsxReading): Promise<TextOrSheet> {
  if (bytes.toString('latin1', 0, 4) !== zipStarts[0]) return await readCsv(bytes, rows, how.reading);
  return await readXlsx(await readZipDirectory(bytes), rows, how);
}

function refuse(known: readonly (readonly [RegExp, TableFaultName])[], texts: readonly string[]): void {
  const found = known.find(([pattern]) => texts.some((text) => pattern.test(text)));
  if (found) throw new TableFault(found[1]);
}

async function isOpenDocument(entries: readonly ZipEntry[]): Promise<boolean> {
  const type = entries.find(({ name, sizeBytes }) => name === 'mimetype' && sizeBytes < 100);
  return type !== undefined && (await buffer(type.unpack())).toString().startsWith(openDocument);
}

/** macOS adds a hidden twin of every file. */
function isOfSystem(name: string): boolean {
  return name.startsWith('__MACOSX/') || /(^|\/)\./.test(name);
}
