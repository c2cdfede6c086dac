import { zipOf } from './zip-of.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export type WorkbookParts = {
  /** What is inside of `sheetData`: rows. */
  rows?: string;
  /** The whole sheet, in place of `rows`. */
  sheet?: string;
  /** What is inside of `sst`. */
  sharedStrings?: string;
  /** What is inside of `styleSheet`. */
  styles?: string;
  /** What is inside of `workbook`, in place of one sheet `rId1`. */
  workbook?: string;
  /** The target of the relation `rId1`. */
  target?: string;
};

/** Returns an XLSX file with one sheet of these parts, and a second sheet `rId2` whose only cell is `second`. */
export function aWorkbook({ rows = '', sheet, sharedStrings, styles, workbook, target }: WorkbookParts): Buffer {
  const relation = (id: string, type: string, path: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${path}"/>`;
  const sheetOf = (inside: string) => `<worksheet xmlns="${main}"><sheetData>${inside}</sheetData></worksheet>`;
  const related = [
    relation('rId1', 'worksheet', target ?? 'worksheets/sheet1.xml'),
    relation('rId2', 'worksheet', 'worksheets/sheet2.xml'),
    relation('rId3', 'chartsheet', 'chartsheets/sheet1.xml'),
    ...(sharedStrings === undefined ? [] : [relation('rId4', 'sharedStrings', 'sharedStrings.xml')]),
    ...(styles === undefined ? [] : [relation('rId5', 'styles', 'styles.xml')]),
  ];
  const sheets = workbook ?? '<sheets><sheet name="Blad1" sheetId="1" r:id="rId1"/></sheets>';
  const second = ['h', 'second'].map(
    (text, i) => `<row r="${i + 1}"><c t="inlineStr"><is><t>${text}</t></is></c></row>`,
  );
  const files = {
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}">${sheets}</workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${related.join('')}</Relationships>`,
    'xl/worksheets/sheet1.xml': sheet ?? sheetOf(rows),
    'xl/worksheets/sheet2.xml': sheetOf(second.join('')),
    ...(sharedStrings !== undefined && { 'xl/sharedStrings.xml': `<sst xmlns="${main}">${sharedStrings}</sst>` }),
    ...(styles !== undefined && { 'xl/styles.xml': `<styleSheet xmlns="${main}">${styles}</styleSheet>` }),
  };
  return zipOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])));
}
