import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { TableFault } from '../table-fault.ts';
import type { ZipEntry } from '../zip-directory.ts';
import { attributeOf, readXml } from './xml-tokens.ts';

/** The parts of a workbook that its first sheet consists of. */
export type Workbook = {
  sheet: Buffer;
  sharedStrings: Buffer | null;
  styles: Buffer | null;
  /** Days count from 1904 instead of 1900, as in old files of Excel for Mac. */
  isFrom1904: boolean;
};

const folder = '/xl';

/** Finds the first visible sheet of an XLSX file, and unpacks what it needs. Throws TableFault. */
export async function readWorkbook(entries: readonly ZipEntry[]): Promise<Workbook> {
  const read = async (path: string): Promise<Buffer | null> => {
    const entry = entries.find(({ name }) => name.toLowerCase() === path.toLowerCase());
    return entry ? await buffer(entry.unpack()) : null;
  };
  const parts = readRelations(await read('xl/_rels/workbook.xml.rels'));
  const { sheets, isFrom1904 } = readSheets(await read('xl/workbook.xml'));
  const tables = sheets.filter(({ relation }) => parts.some(({ id, type }) => id === relation && type === 'worksheet'));
  const first = tables.find(({ isHidden }) => !isHidden) ?? tables[0];
  const path = parts.find(({ id }) => id === first?.relation)?.path;
  const sheet = path === undefined ? null : await read(path);
  if (!sheet) throw new TableFault('damaged_xlsx');
  const readOf = (wanted: string) => read(parts.find(({ type }) => type === wanted)?.path ?? `xl/${wanted}.xml`);
  const [sharedStrings, styles] = [await readOf('sharedStrings'), await readOf('styles')];
  return { sheet, sharedStrings, styles, isFrom1904 };
}

type Relation = { id: string; type: string; path: string };

/** Paths of relations are relative to the folder of the workbook, or begin with a slash. */
function readRelations(bytes: Buffer | null): Relation[] {
  const relations: Relation[] = [];
  for (const token of readXml(bytes ?? Buffer.alloc(0))) {
    if (token.kind !== 'open' || token.name !== 'Relationship') continue;
    const [id = '', type = '', target = ''] = ['Id', 'Type', 'Target'].map((name) =>
      attributeOf(token.attributes, name),
    );
    relations.push({ id, type: posix.basename(type), path: posix.resolve(folder, target).slice(1) });
  }
  return relations;
}

function readSheets(bytes: Buffer | null) {
  const sheets: { relation: string; isHidden: boolean }[] = [];
  let isFrom1904 = false;
  for (const token of readXml(bytes ?? Buffer.alloc(0))) {
    if (token.kind !== 'open') continue;
    const { name, attributes } = token;
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributeOf(attributes, 'date1904') ?? '');
    if (name !== 'sheet') continue;
    const isHidden = (attributeOf(attributes, 'state') ?? 'visible') !== 'visible';
    sheets.push({ relation: attributeOf(attributes, '(?<=:)id') ?? '', isHidden });
  }
  return { sheets, isFrom1904 };
}
