import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { childMain } from '#common/documents/isolation/child-main.ts';
import { isLanguage, type Language } from '#common/languages.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { createRowWriter, type RowWriter } from './row-writer.ts';
import { TableFault } from './table-fault.ts';
import { readZipDirectory } from './zip-directory.ts';

/**
 * Reads a bulk file: `read-table.child.ts <path>` writes `rows.ndjson` to its folder. What the file is shows in its
 * bytes, whatever its name and type say.
 */
await childMain('too_hard', async ([path = '', language]) => {
  const bytes = readFileSync(path);
  const rows = createRowWriter('rows.ndjson');
  try {
    const format = await readTable(bytes, rows, isLanguage(language) ? language : 'en');
    const rowCount = rows.finish();
    if (rowCount < 2) throw new TableFault('empty');
    return { format, rowCount };
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    return { fault: error.fault, ...error.place };
  }
});

async function readTable(bytes: Buffer, rows: RowWriter, language: Language): Promise<object> {
  const start = bytes.subarray(0, 8).toString('latin1');
  if (start.startsWith('\xd0\xcf\x11\xe0')) throw new TableFault('old_excel');
  if (start.startsWith('%PDF')) throw new TableFault('not_a_table');
  if (!start.startsWith('PK\x03\x04') && !start.startsWith('PK\x05\x06')) return await readCsv(bytes, rows);

  const entries = await readZipDirectory(bytes);
  if (entries.some(({ name }) => name === 'xl/workbook.xml')) return await readXlsx(entries, rows, language);
  const [index, ...others] = entries.filter(({ name }) => /\.(csv|txt|tsv)$/i.test(name) && !isOfSystem(name));
  if (!index || others.length > 0) throw new TableFault('zip_without_index');
  return { ...(await readCsv(await buffer(index.unpack()), rows)), kind: 'zip' };
}

/** macOS adds a hidden twin of every file. */
function isOfSystem(name: string): boolean {
  return name.startsWith('__MACOSX/') || /(^|\/)\./.test(name);
}
