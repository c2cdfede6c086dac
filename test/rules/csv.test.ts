// Level: unit
import fc from 'fast-check';
import { csvRecord } from '#common/csv.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

/** Parses one record as RFC 4180 defines it. */
function readRecord(record: string): string[] {
  expect(record.endsWith('\r\n')).toBe(true);
  const fields: string[] = [];
  let rest = `${record.slice(0, -2)},`;
  while (rest !== '') {
    const [whole, quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*)),/.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`not a field: ${rest}`);
    fields.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
  }
  return fields;
}

describe('a CSV record', () => {
  test('numbers, text and empty cells are quoted only where necessary', () => {
    expect(csvRecord([-973, 0, 5.5, 'a b', null, 'a,b', 'say "x"', 'two\r\nlines'])).toBe(
      '-973,0,5.5,a b,,"a,b","say ""x""","two\r\nlines"\r\n',
    );
  });

  const formulas = [
    '=1+1',
    '+32',
    '-1',
    '@SUM(A1)',
    '\t1',
    '\r1',
    '\n',
    ' =1',
    '＝1',
    '－1',
    '=HYPERLINK("http://x","y")',
  ];
  test.each(formulas)('a spreadsheet takes the text %j for text', (text) => {
    expect(readRecord(csvRecord([text]))).toEqual([`'${text}`]);
  });

  test.each([
    ['a;=1+1', "a;'=1+1"],
    ['\t=1', "'\t'=1"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['a\n+32', "a\n'+32"],
    ['a\r\n-1', "a\r\n'-1"],
    ['a; ＝1', "a;' ＝1"],
    ['a;"=1', `a;'"=1`],
    ['a;;=1;+2', "a;;'=1;'+2"],
    ["a;'=1", "a;'=1"],
    ['a; b = c; -', "a; b = c;' -"],
    ['5-3, +1; 2', '5-3, +1; 2'],
    [';', ';'],
  ])('no part of %j is a formula, whatever separator a spreadsheet uses', (text, expected) => {
    const written = csvRecord([text]);
    expect(readRecord(written)).toEqual([expected]);
    expect(written).toMatch(/^".*"\r\n$/s);
  });

  test('a reader gets any cells back except for apostrophes, and no text is a formula', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'=+-@"\',;\r\n\t a') }));
    forAny([fc.array(fc.oneof(text, fc.integer()), { minLength: 1 })], (cells) => {
      const fields = readRecord(csvRecord(cells));
      expect(fields).toHaveLength(cells.length);
      for (const [index, cell] of cells.entries()) {
        const field = fields[index] ?? '';
        if (typeof cell === 'number') expect(field).toBe(String(cell));
        else expect(field.replaceAll("'", '')).toBe(cell.replaceAll("'", ''));
        if (typeof cell !== 'string') continue;
        expect(field).not.toMatch(/^\s*[=+\-@]|^[\t\r\n]/);
        // As a program reads it that knows neither our separator nor our quotes.
        for (const part of csvRecord([cell])
          .trimEnd()
          .split(/[;\t\r\n]/)) {
          expect(part).not.toMatch(/^[\s"]*[=+\-@]/);
        }
      }
    });
  });
});
