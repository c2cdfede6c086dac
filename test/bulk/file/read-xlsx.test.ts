// Level: unit
import { bulkFileReader } from '#test/support/bulk/read-bulk-file.ts';
import { aWorkbook, type WorkbookParts } from '#test/support/bulk/workbook.ts';
import { zipOf } from '#test/support/bulk/zip-of.ts';
import { byLevel, describe, expect, test, useTempFolders } from '#test/support/jest.ts';

type Declare = (...args: Parameters<typeof test>) => void;
const testAtFullLevel = byLevel<Declare>({ quick: () => {}, full: test });

describe('reading an XLSX file', () => {
  const { read, faultOf } = bulkFileReader(useTempFolders());
  const header = '<row r="1"><c r="A1" t="inlineStr"><is><t>Naam</t></is></c></row>';
  const cellsOf = async (parts: WorkbookParts) => (await read(aWorkbook(parts))).rows.map(({ cells }) => cells);
  const cells = async (row: string, parts: WorkbookParts = {}) =>
    (await cellsOf({ ...parts, rows: `${header}<row r="2">${row}</row>` }))[0];

  test('rows and cells keep their places, and blank ones are left out', async () => {
    const rows = `${header}<row r="3"><c r="B3"/><c r="D3" t="str"><f>A1&amp;1</f><v>x</v></c></row><row><c t="str"><v>y</v></c></row><row r="200000"/>`;
    const { format, rows: found } = await read(aWorkbook({ rows }));
    expect(format).toEqual({ kind: 'xlsx' });
    expect(found).toEqual([
      { row: 3, cells: ['', '', '', 'x'] },
      { row: 4, cells: ['y'] },
    ]);
  });

  test('texts are joined from their runs, without phonetic guides, and unescaped', async () => {
    const sharedStrings =
      '<si><t xml:space="preserve"> Müller &amp; &#x141;ódź </t></si><si><r><rPr><b/></rPr><t>Rue </t></r><r><t>Haute</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si><si><t>a_x000D_b_x005F_x0041_</t></si><si><t/></si>';
    const row = [0, 1, 2, 3].map((index) => `<c t="s"><v>${index}</v></c>`).join('');
    const inline = '<c t="inlineStr"><is><r><t>1 &lt; </t></r><r><t>2</t></r></is></c>';
    const expected = [' Müller & Łódź ', 'Rue Haute', 'a\rb_x0041_', '', '1 < 2'];
    expect(await cells(row + inline, { sharedStrings })).toEqual(expected);
  });

  test('numbers are in full, dates as dates, and other values as a spreadsheet shows them', async () => {
    const formats = ['dd/mm/yyyy;@', '[$-813]d mmmm yyyy', '00000', '#,##0.00', '[h]:mm', '"day" 0', '[Red]0.0'];
    const numFmts = formats.map(
      (code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    );
    const ids = [0, 14, 164, 165, 166, 167, 168, 169, 170];
    const xfs = ids.map((id) => `<xf numFmtId="${id}"/>`).join('');
    const styles = `<numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs}</cellXfs>`;
    const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
    const row = [
      ...[number('12345678901234'), number('1E+21'), number('19.989999999999998'), number(-3)],
      ...[number(45_000, 1), number(45_000, 2), number(45_000.5, 3), number(1, 1), number(61, 1)],
      ...[number(1067, 4), number(1.5, 5), number(0.5, 6), number(7, 7), number(2.5, 8)],
      ...[
        '<c t="b"><v>1</v></c>',
        '<c t="e"><v>#N/A</v></c>',
        '<c t="str"><f>A1</f></c>',
        '<c t="d"><v>2026-03-04</v></c>',
      ],
    ];
    expect(await cells(row.join(''), { styles })).toEqual([
      ...['12345678901234', '1000000000000000000000', '19.99', '-3'],
      ...['2023-03-15', '2023-03-15', '2023-03-15T12:00:00.000Z', '1900-01-01', '1900-03-01'],
      ...['01067', '1.5', '1899-12-31T12:00:00.000Z', '7', '2.5'],
      ...['true', '', '', '2026-03-04'],
    ]);
    const workbook = '<workbookPr date1904="1"/><sheets><sheet r:id="rId1"/></sheets>';
    expect(await cells(number(43_538, 1), { styles, workbook })).toEqual(['2023-03-15']);
  });

  test('the first visible sheet counts, wherever it is stored and whatever wrote it', async () => {
    const hidden = '<sheet r:id="rId3"/><sheet state="hidden" r:id="rId1"/><sheet r:id="rId2"/>';
    expect(await cellsOf({ rows: header, workbook: `<sheets>${hidden}</sheets>` })).toEqual([['second']]);
    expect(await cellsOf({ rows: header, target: '/xl/worksheets/Sheet2.xml' })).toEqual([['second']]);
    const row = (r: number) => `<x:row r="${r}"><x:c r='A${r}' t='str'><x:v><![CDATA[<${r}>]]></x:v></x:c></x:row>`;
    const sheet = `\ufeff<!-- > </row> --><x:worksheet xmlns:x="y"><x:sheetData>${row(1)}\n${row(2)}</x:sheetData></x:worksheet>`;
    expect(await cellsOf({ sheet })).toEqual([['<2>']]);
  });

  test('damaged and hostile workbooks end in a fault', async () => {
    const text = (ref: string) => `<c r="${ref}" t="str"><v>x</v></c>`;
    const wide = Array.from({ length: 201 }, () => '<c t="str"><v>x</v></c>').join('');
    const faults: [Buffer, string, number | null][] = [
      [aWorkbook({ rows: header }), 'empty', null],
      [aWorkbook({ rows: `${header}<row r="1">${text('A1')}</row>` }), 'damaged_xlsx', null],
      [aWorkbook({ rows: `${header}<row r="2">${text('B2')}${text('A2')}</row>` }), 'damaged_xlsx', null],
      [aWorkbook({ rows: `${header}<row r="99999999">${text('A2')}</row>` }), 'damaged_xlsx', null],
      [aWorkbook({ rows: `${header}<row r="2">${text('ZZZ2')}</row>` }), 'damaged_xlsx', null],
      [aWorkbook({ rows: `${header}<row r="2"><c t="s"><v>5</v></c></row>` }), 'damaged_xlsx', null],
      [aWorkbook({ rows: `${header}<row r="2"><c><v>1E999</v></c></row>` }), 'damaged_xlsx', null],
      [aWorkbook({ rows: `${header}<row r="2">${wide}</row>` }), 'too_many_columns', 201],
      [aWorkbook({ rows: `${header}${'<row><c t="str"><v>x</v></c></row>'.repeat(100_001)}` }), 'too_many_rows', null],
      [aWorkbook({ sheet: '<worksheet><sheetData><row' }), 'damaged_xlsx', null],
      [aWorkbook({ sheet: `<worksheet><sheetData>${header}` }), 'damaged_xlsx', null],
      [aWorkbook({ rows: `${header}<row r="2">${text('A2')}</row></x>` }), 'damaged_xlsx', null],
      [aWorkbook({ rows: `${header}<row r="2">${text('A2&')}</row><row>${text('A3;')}</row>` }), 'damaged_xlsx', null],
      [
        aWorkbook({ rows: `${header}<row r="2">${'<a>'.repeat(200)}${'</a>'.repeat(200)}</row>` }),
        'damaged_xlsx',
        null,
      ],
      [aWorkbook({ workbook: '<sheets/>' }), 'damaged_xlsx', null],
      [aWorkbook({ target: '../../../etc/passwd' }), 'damaged_xlsx', null],
      [zipOf({ 'xl/workbook.xml': Buffer.alloc(1_000_000) }, { 'xl/workbook.xml': 10 }), 'zip_too_large', null],
    ];
    for (const [bytes, fault, place] of faults) expect(await faultOf(bytes)).toEqual([fault, place]);
  });

  test('entities are not expanded, and long tags do not fill the memory', async () => {
    const bomb = `<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">]><worksheet><sheetData>${header}<row><c t="str"><v>&a;</v></c></row></sheetData></worksheet>`;
    expect(await cellsOf({ sheet: bomb })).toEqual([['&a;']]);
    expect(await cells('<c t="str"><v>a&#11;b</v></c>')).toEqual(['a&#11;b']);
    expect(await faultOf(aWorkbook({ sheet: `<worksheet ${'a'.repeat(3_000_000)}` }))).toEqual(['damaged_xlsx', null]);
  });

  testAtFullLevel('100,000 rows are read within the memory that the process may have', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = Array.from({ length: 100_000 }, (_, n) =>
      ['Łódź', 'Rue Haute', '1000', 'Bruxelles', 'BE', 'm', 'Remark', 'x'].map((text) => cell(`${text} ${n}`)).join(''),
    );
    const workbook = aWorkbook({ rows: `${header}${rows.map((row) => `<row>${row}</row>`).join('')}` });
    expect((await read(workbook)).rows).toHaveLength(100_000);
  });
});
