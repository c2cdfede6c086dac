import { posix } from 'node:path';
import { TableFault } from '../table-fault.ts';
import { maxSheetName } from '../table-limits.ts';
import type { ZipEntry } from '../zip-directory.ts';
import { readXml } from './read-xml.ts';

/** A sheet with cells, as the tabs of a spreadsheet show it. */
export type Sheet = { name: string; isHidden: boolean; part: ZipEntry };

/** The sheets of a workbook in their order, and what their cells refer to. */
export type Workbook = {
  sheets: Sheet[];
  sharedStrings: ZipEntry | undefined;
  styles: ZipEntry | undefined;
  /** Days count from 1904 instead of 1900, as in old files of Excel for Mac. */
  isFrom1904: boolean;
  /** Formulas are to be calculated when it is opened: a program wrote it without their results. */
  isUncalculated: boolean;
};

const folder = '/xl';

/** Finds the sheets of an XLSX file, and what they need. Throws TableFault. */
export async function readWorkbook(entries: readonly ZipEntry[]): Promise<Workbook> {
  const find = (path: string) => entries.find(({ name }) => name.toLowerCase() === path.toLowerCase());
  const parts = await readRelations(find('xl/_rels/workbook.xml.rels'));
  const { sheets, isFrom1904, isUncalculated } = await readSheets(find('xl/workbook.xml'));
  const found = sheets.flatMap(({ relation, ...sheet }): Sheet[] => {
    const part = find(parts.find(({ id, type }) => id === relation && type === 'worksheet')?.path ?? '');
    return part ? [{ ...sheet, part }] : [];
  });
  if (found.length === 0) throw new TableFault('damaged_xlsx');
  const findOf = (wanted: string) => find(parts.find(({ type }) => type === wanted)?.path ?? `xl/${wanted}.xml`);
  const stored = { sharedStrings: findOf('sharedStrings'), styles: findOf('styles') };
  return { sheets: found, ...stored, isFrom1904, isUncalculated };
}

type Relation = { id: string; type: string; path: string };

/** Paths of relations are relative to the folder of the workbook, or begin with a slash. */
async function readRelations(part: ZipEntry | undefined): Promise<Relation[]> {
  const relations: Relation[] = [];
  for await (const tokens of readXml(part)) {
    for (const token of tokens) {
      if (token.kind !== 'open' || token.name !== 'Relationship') continue;
      const { Id: id = '', Type: type = '', Target: target = '' } = token.attributes;
      relations.push({ id, type: posix.basename(type), path: posix.resolve(folder, target).slice(1) });
    }
  }
  return relations;
}

async function readSheets(part: ZipEntry | undefined) {
  const sheets: { name: string; relation: string; isHidden: boolean }[] = [];
  let [isFrom1904, isUncalculated] = [false, false];
  for await (const tokens of readXml(part)) {
    for (const token of tokens) {
      if (token.kind !== 'open') continue;
      const { name, attributes } = token;
      if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name === 'calcPr') isUncalculated = ['1', 'true'].includes(attributes.fullCalcOnLoad ?? '');
      if (name !== 'sheet') continue;
      // Any prefix may stand for the namespace of relations.
      const [, relation = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const title = (attributes.name ?? '').slice(0, maxSheetName).toWellFormed();
      sheets.push({ name: title, relation, isHidden: (attributes.state ?? 'visible') !== 'visible' });
    }
  }
  return { sheets, isFrom1904, isUncalculated };
}
