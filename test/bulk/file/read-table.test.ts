// Level: unit
import { bulkFileReader } from '#test/support/bulk/read-bulk-file.ts';
import { zipOf } from '#test/support/bulk/zip-of.ts';
import { describe, expect, test, useTempFolders } from '#test/support/jest.ts';

describe('reading a bulk file', () => {
  const { read, faultOf } = bulkFileReader(useTempFolders());
  const utf16 = (text: string, isBig = false) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return isBig ? bytes.swap16() : bytes;
  };

  test('encodings and separators of common spreadsheets are recognized', async () => {
    const text = 'Naam;Straat;Stad\r\n"Müller; José";"Rue ""Haute"" 1";Liège\r\n\r\nŁ? €;x;y\r\n';
    const rows = [
      { row: 2, cells: ['Müller; José', 'Rue "Haute" 1', 'Liège'] },
      { row: 4, cells: ['Ł? €', 'x', 'y'] },
    ];
    const files = [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16(text), utf16(text, true)];
    for (const file of files) expect((await read(file)).rows).toEqual(rows);
    const western = await read(Buffer.from([...Buffer.from('a\tb\nJos'), 0xe9, 0x09, 0x80, 0x0a]));
    expect(western).toMatchObject({
      format: { kind: 'csv', encoding: 'windows-1252', separator: '\t' },
      header: ['a', 'b'],
      rows: [{ row: 2, cells: ['José', '€'] }],
    });
    expect((await read(Buffer.from('a,b\n"1;2;3;4",5\n'))).format).toMatchObject({ separator: ',' });
  });

  test('bad files end in a fault that names the place', async () => {
    const rows = (count: number) => Buffer.from(`a\n${'1\n'.repeat(count)}`);
    const wide = Array.from({ length: 10_000 }, (_, index) => `c${index}`).join(';');
    const index = { 'index.csv': Buffer.from('a;b\n1;2\n') };
    const renamed = (zip: Buffer) => Buffer.from(zip.toString('latin1').replaceAll('b.pdf', 'a.pdf'), 'latin1');
    // Both names have the bytes of the first.
    const overlapping = zipOf({ 'a.pdf': Buffer.from('x'), 'b.pdf': Buffer.from('x'), ...index });
    overlapping.writeUInt32LE(0, overlapping.lastIndexOf('b.pdf') - 4);
    // The bytes of the first begin behind an extra field, inside of the second.
    const stretched = zipOf({ 'a.pdf': Buffer.alloc(100, 'x'), 'b.pdf': Buffer.from('y'), ...index });
    stretched.writeUInt16LE(60, 28);
    const bomb = { 'a.pdf': Buffer.alloc(1_000_000), 'index.csv': Buffer.from('a;b\n1;2\n') };
    const faults: [Uint8Array, string, number | null][] = [
      [Buffer.from('Naam;Stad\n'), 'empty', null],
      [Buffer.alloc(0), 'empty', null],
      [rows(100_001), 'too_many_rows', null],
      [Buffer.from(`${wide}\n${wide}\n`), 'too_many_columns', 10_000],
      [Buffer.concat([Buffer.from('a;b\n1;2\n'), Buffer.alloc(3_000_000, 'x')]), 'row_too_long', 3],
      [Buffer.from(`a\n${'\n'.repeat(100_020)}1\n`), 'too_many_rows', null],
      [Buffer.from('a;b\n1;"2\n3;4\n'), 'quote_not_closed', 3],
      [Buffer.from('a;b\n1;2\n3;\u00004\n'), 'nul_bytes', 3],
      [Buffer.concat([Buffer.from('n\nJosé\nRen'), Buffer.from([0xe9, 0x0a])]), 'mixed_encodings', 3],
      [Buffer.from('%PDF-1.7\n'), 'not_a_table', null],
      [zipOf({ '../a.pdf': Buffer.from('x'), 'index.csv': Buffer.from('a;b\n1;2\n') }), 'zip_path', 1],
      [zipOf({ 'a.pdf': Buffer.from('x') }), 'zip_without_index', null],
      [zipOf(bomb, { 'a.pdf': 400_000_000 }), 'zip_too_large', null],
      [zipOf({ 'index.csv': Buffer.alloc(1_000_000, 'x') }, { 'index.csv': 10 }), 'zip_too_large', null],
      [zipOf(bomb).subarray(0, 900), 'damaged_zip', null],
      [renamed(zipOf({ 'a.pdf': Buffer.from('x'), 'b.pdf': Buffer.from('y'), ...index })), 'damaged_zip', null],
      [overlapping, 'damaged_zip', null],
      [stretched, 'damaged_zip', null],
      [zipOf({ 'a.pdf': Buffer.alloc(11_000_000), ...index }), 'zip_too_large', null],
      [zipOf({ 'xl/workbook.xml': Buffer.from('<broken') }), 'damaged_xlsx', null],
    ];
    for (const [bytes, fault, place] of faults) expect(await faultOf(bytes)).toEqual([fault, place]);
  });

  test('cells that are too long stay so, for their row to be reported', async () => {
    const { rows } = await read(Buffer.from(`a;b\n${'x'.repeat(5_000)};1\n`));
    expect(rows[0]?.cells.map(({ length }) => length)).toEqual([2_001, 1]);
  });
});
