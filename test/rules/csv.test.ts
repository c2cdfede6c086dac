import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvRecord } from '../../common/csv.ts';

/** What a reader that knows only RFC 4180 makes of one record. */
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

describe('a record of comma-separated values', () => {
  test('given numbers, text and nothing, when they are written, then only what must be quoted is', () => {
    expect(csvRecord([-973, 0, 5.5, 'a b', null, 'a,b', 'say "x"', 'two\r\nlines'])).toBe(
      '-973,0,5.5,a b,,"a,b","say ""x""","two\r\nlines"\r\n',
    );
  });

  test.each(['=1+1', '+32', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n', ' =1', '＝1', '－1', '=HYPERLINK("http://x","y")'])(
    'given the text %j, when it is written, then a spreadsheet takes it for text',
    (text) => {
      expect(readRecord(csvRecord([text]))).toEqual([`'${text}`]);
    },
  );

  test('given any cells, when they are written, then a reader gets them back, and no text begins a formula', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'=+-@"\',\r\n\t a') }));
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.integer()), { minLength: 1 }), (cells) => {
        const fields = readRecord(csvRecord(cells));
        expect(fields).toHaveLength(cells.length);
        for (const [index, cell] of cells.entries()) {
          const field = fields[index] ?? '';
          if (typeof cell === 'number') expect(field).toBe(String(cell));
          else expect([cell, `'${cell}`]).toContain(field);
          if (typeof cell === 'string') expect(field).not.toMatch(/^\s*[=+\-@]|^[\t\r\n]/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
