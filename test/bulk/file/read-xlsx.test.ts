// Level: ci
import type { Language } from '#common/languages.ts';
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
  const cells = async (row: string, parts: WorkbookParts = {}, language: Language = 'en') =>
    (await read(aWorkbook({ ...parts, rows: `${header}<row r="2">${row}</row>` }), {}, language)).rows[0]?.cells;
  /** Returns the styles with these number formats, in their order: codes, or numbers of built-in ones. */
  const stylesOf = (formats: (string | number)[]) => {
    const codes = formats.map(
      (code, i) =>
        `<numFmt numFmtId="${164 + i}" formatCode="${String(code).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"/>`,
    );
    const xfs = formats.map((code, i) => `<xf numFmtId="${typeof code === 'number' ? code : 164 + i}"/>`);
    return `<numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs>`;
  };
  const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;

  test('rows and cells keep their places, and blank ones are left out', async () => {
    const rows = `${header}<row r="3"><c r="B3"/><c r="D3" t="str"><f>A1&amp;1</f><v>x</v></c></row><row><c t="str"><v>y</v></c></row><row r="200000"/>`;
    const { format, rows: found } = await read(aWorkbook({ rows }));
    expect(format).toMatchObject({ kind: 'xlsx', sheet: 'Blad1' });
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

  test('numbers are in full, and other values as a spreadsheet shows them', async () => {
    const row = [
      ...[number('12345678901234'), number('1E+21'), number('19.989999999999998'), number(-3)],
      ...['<c t="b"><v>1</v></c>', '<c t="e"><v>#N/A</v></c>', '<c t="e"><v>x</v></c>'],
      ...['<c t="str"><f>A1</f><v></v></c>', '<c t="d"><v>2026-03-04</v></c>'],
    ];
    const styles = stylesOf([0, 14]);
    const expected = ['12345678901234', '1000000000000000000000', '19.99', '-3', 'true', '#N/A', '#VALUE!', ''];
    expect(await cells(row.join(''), { styles })).toEqual([...expected, '2026-03-04']);
    expect((await cells(number('480.58'), {}, 'nl'))?.[0]).toBe('480,58');
    const workbook = '<workbookPr date1904="1"/><sheets><sheet r:id="rId1"/></sheets>';
    expect(await cells(number(43_538, 1), { styles, workbook })).toEqual(['15/03/2023']);
  });

  test('number formats write values as a spreadsheet in English and in Dutch', async () => {
    const formats = [
      ...[
        '00-000|950|00-950',
        '000 00|1067|010 67',
        '00000;@|1067|01067',
        '00000_)|1067|01067',
        '[$-407]00000|1067|01067',
      ],
      ...[
        '000-0000|600000|060-0000',
        '"D-"00000|1067|D-01067',
        '0;(0);"none"|0|none',
        '0;(0)|-5|(5)',
        '[Red]0.0|2.5|2.5|2,5',
      ],
      ...['"€" #,##0.00|1480.58|€ 1,480.58|€ 1.480,58', '14|45000|15/03/2023|15-3-2023', '16|46054|01-Feb|1-feb'],
      ...['[$-813]d mmmm yyyy|45000|15 maart 2023', 'h:mm|0.5|12:00', '[h]:mm|1.5|36:00', 'dd/mm|46054|2026-02-01'],
      ...[
        ';;;|7|7',
        '"day" 0|7|day 7',
        'bad [[ "|7|7',
        '0.00E+00|12345|1.23E+04|1,23E+04',
        '44|480.58|€480.58|€ 480,58',
      ],
      '"bus "@|text|bus text',
    ].map((row) => row.split('|'));
    const styles = stylesOf(formats.map(([code = '']) => (/^\d\d$/.test(code) ? Number(code) : code)));
    const row = formats.map(([, value = ''], style) =>
      value === 'text' ? `<c s="${style}" t="str"><v>${value}</v></c>` : number(value, style),
    );
    const codes = formats.map(([code]) => code);
    const shown = async (language: Language) => {
      const found = (await cells(row.join(''), { styles }, language)) ?? [];
      return found.map((text, index) => [codes[index], text]);
    };
    expect(await shown('en')).toEqual(formats.map(([code, , english]) => [code, english]));
    expect(await shown('nl')).toEqual(formats.map(([code, , english, dutch = english]) => [code, dutch]));
  });

  test('a formula without a stored result is no empty cell', async () => {
    const formulas =
      '<c><f>"Box "&amp;5</f><v></v></c><c><f>1</f></c><c t="str"><f>A1</f></c><c><f>2-2</f><v>0</v></c>';
    const error = '#NO RESULT!';
    expect(await cells(formulas)).toEqual([error, error, error, '0']);
    const workbook = '<sheets><sheet r:id="rId1"/></sheets><calcPr fullCalcOnLoad="1"/>';
    expect(await cells(formulas, { workbook })).toEqual([error, error, error, error]);
  });

  test('the first visible sheet counts, wherever it is stored and whatever wrote it', async () => {
    const hidden = '<sheet r:id="rId3"/><sheet state="hidden" r:id="rId1"/><sheet r:id="rId2"/>';
    expect(await cellsOf({ rows: header, workbook: `<sheets>${hidden}</sheets>` })).toEqual([['second']]);
    expect(await cellsOf({ rows: header, target: '/xl/worksheets/Sheet2.xml' })).toEqual([['second']]);
    const row = (r: number) => `<x:row r="${r}"><x:c r='A${r}' t='str'><x:v><![CDATA[<${r}>]]></x:v></x:c></x:row>`;
    const sheet = `\ufeff<!-- > </row> --><x:worksheet xmlns:x="y"><x:sheetData>${row(1)}\n${row(2)}</x:sheetData></x:worksheet>`;
    expect(await cellsOf({ sheet })).toEqual([['<2>']]);
  });

  test('merged cells over several rows count for each row of the list, and no letter is made of them alone', async () => {
    const list = ';Name;Address\n;;Street;Zip\n;Ana;Rue 1;1000\n;Jan\n;Els;;9000\n;Piet;Dok 4\n\n;Wim\n;;;2000';
    const cell = (text: string) => (text === '' ? '<c/>' : `<c t="str"><v>${text}</v></c>`);
    const rows = list
      .split('\n')
      .map((line) => `<row>${line.split(';').slice(1).map(cell).join('')}</row>`)
      .join('');
    const merges = ['A1:A2', 'B1:C1', 'B3:B5', 'C3:C4', 'A6:A7', 'B6:C7', 'A9:B9', 'A8:A1048576', 'x'];
    const tail = `<mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
    const sheet = `<worksheet><sheetData>${rows}</sheetData>${tail}</worksheet>`;
    const { header: names, rows: found, format } = await read(aWorkbook({ sheet }), { headerRow: 2 });
    expect([names.join(';'), ...found.map((row) => `${row.row};${row.cells.join(';')}`)]).toEqual([
      ...[
        'Name;Street;Zip',
        '3;Ana;Rue 1;1000',
        '4;Jan;Rue 1;1000',
        '5;Els;Rue 1;9000',
        '6;Piet;Dok 4',
        '8;Wim',
        '9;Wim;;2000',
      ],
    ]);
    expect(format.mergedCells).toBe(5);
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
