// Level: unit
import { bulkFileReader } from '#test/support/bulk/read-bulk-file.ts';
import { aWorkbook } from '#test/support/bulk/workbook.ts';
import { zipOf } from '#test/support/bulk/zip-of.ts';
import { describe, expect, test, useTempFolders } from '#test/support/jest.ts';

const heading = 'Name;Street;Postcode;City';
const letter = 'Ana;Rue 1;1000;Gent';

describe('the spreadsheets and archives that a list comes in', () => {
  const { read, faultOf } = bulkFileReader(useTempFolders());

  test('sheets and hidden rows are counted, and chosen', async () => {
    const row = (r: number, texts: string, more = '') =>
      `<row r="${r}"${more}>${texts.replaceAll(/[^;]+/g, '<c t="inlineStr"><is><t>$&</t></is></c>').replaceAll(';', '')}</row>`;
    const rows = row(1, heading) + row(2, letter, ' hidden="1"') + row(3, letter) + row(4, '', ' hidden="1"');
    const sheet = (name: string, id: number, state = 'visible') =>
      `<sheet name="${name}" state="${state}" r:id="rId${id}"/>`;
    const list = aWorkbook({ rows, workbook: `<sheets>${sheet('A', 1)}${sheet('B', 2, 'hidden')}</sheets>` });
    const { format, rows: found } = await read(list);
    expect([format.sheet, format.hiddenRows, found.map(({ row: number }) => number)]).toEqual(['A', 1, [2, 3]]);
    expect(format.sheets).toEqual([
      { name: 'A', isHidden: false },
      { name: 'B', isHidden: true },
    ]);
    expect((await read(list, { hiddenRows: 'skip' })).rows.map(({ row: number }) => number)).toEqual([3]);
    expect((await read(list, { sheet: 'B' })).header).toEqual(['h']);
    expect(await faultOf(list, { sheet: 'C' })).toEqual(['no_such_sheet', null]);
    const blank = aWorkbook({ rows: row(1, 'Title'), workbook: `<sheets>${sheet('A', 1)}${sheet('B', 2)}</sheets>` });
    expect((await read(blank)).format.sheet).toBe('B');
  });

  test('a packed list is a list, and other spreadsheets are refused by their name', async () => {
    const book = aWorkbook({ rows: '<row><c t="str"><v>a</v></c></row><row><c t="str"><v>b</v></c></row>' });
    const pdf = { 'a.pdf': Buffer.from('x') };
    expect((await read(zipOf({ 'list.xlsx': book }))).format).toMatchObject({ kind: 'xlsx', sheet: 'Blad1' });
    expect((await read(zipOf({ 'list.xlsx': book, ...pdf }))).format).toMatchObject({ kind: 'zip', sheet: 'Blad1' });
    expect((await read(zipOf({ 'list.csv': Buffer.from('a;b\n1;2') }))).format.kind).toBe('csv');
    expect(await faultOf(zipOf({ 'list.xlsx': book, 'list.csv': pdf['a.pdf'] }))).toEqual(['zip_without_index', null]);
    const ods = {
      mimetype: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'),
      'content.xml': Buffer.from('x'),
    };
    const others: [Uint8Array, string][] = [
      [zipOf(ods), 'ods'],
      [zipOf({ 'Index/Document.iwa': Buffer.from('x') }), 'numbers'],
      [zipOf({ 'xl/workbook.bin': Buffer.from('x') }), 'xlsb'],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), 'old_excel'],
      [Buffer.from('\ufeff\n<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>'), 'html'],
      [Buffer.from('<table><tr><td>', 'utf16le'), 'html'],
      [Buffer.from('<?xml version="1.0"?><Workbook>'), 'xml'],
    ];
    for (const [bytes, fault] of others) expect(await faultOf(bytes)).toEqual([fault, null]);
  });
});
