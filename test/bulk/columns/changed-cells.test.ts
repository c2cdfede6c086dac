// Level: unit
import fc from 'fast-check';
import { findLostDigits } from '#common/bulk/check/check-postal-code.ts';
import { findCellFaults, findSwallowedRows, required } from '#common/bulk/check/find-cell-faults.ts';
import { findChangedCells } from '#common/bulk/check/find-changed-cells.ts';
import { type CellUse, readCell } from '#common/bulk/check/read-cell.ts';
import { readLetter } from '#common/bulk/check/read-letter.ts';
import type { BulkMapping } from '#common/bulk/model/bulk-fields.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const mapping: BulkMapping = {
  fields: { name: [0], line1: [1, 2], line2: [3], zip: [4], city: [5], country: [6] },
  variables: [{ name: 'amount', column: 7 }],
};
const good = ['Ana', 'Rue Haute', '12', '', '10115', 'Berlin', 'DE', '10'];

/** Returns what is found in a good row with these cells: each column with the code, warnings with a `?`. */
function findIn(changes: Record<number, string>, isSpreadsheet = false): string[] {
  const cells = good.map((cell, column) => changes[column] ?? cell);
  const letter = readLetter(cells, mapping, null);
  const missing = required.filter((field) => letter[field] === '');
  const { faults, warnings } = findChangedCells(cells, { mapping, language: 'nl', isSpreadsheet, missing });
  const ofFields = findCellFaults(letter, mapping, { zone: null, mode: 'live' });
  return [
    ...[...faults, ...ofFields].map(({ column, code }) => `${column} ${code}`),
    ...warnings.map(({ column, code }) => `${column} ${code}?`),
  ];
}

describe('postal codes that lost digits', () => {
  const cases = `501 US 5, 601 PR 5, 802 VI 5, 7001-1234 US 9, 150 NO 4, 10011 RO 6, 950 PL 5, 1001 UA 5, 800 AU 4, 40 IT 5,
    4524 KR 5, 1067 DE 5, D-1067 DE 5, I-118 IT 5, F-1000 FR 5, 8001 ES 5, 600000 JP 7, 1310-100 BR 8, 120 VA 5, 1012 LT 5, 101 AT 4, 800 CH 4, 951 GR 5`;
  test.each(cases.split(/,\s*/))('%s digits', (text) => {
    const [zip = '', country = '', digits] = text.split(' ');
    expect(findLostDigits(zip, country)).toBe(Number(digits));
  });

  const whole = `00501 US, 07001-1234 US, 00-950 PL, 00950 PL, 060-0000 JP, 0600000 JP, 10000 CZ, 100 TW, 1012AB NL, LV-1050 LV,
    1000-001 PT, 1000 PT, 12345 IL, - AE, 0000 AE, 123 HK, 101 IS, D02X285 IE`;
  test.each(whole.split(/,\s*/))('%s is left alone', (text) => {
    const [zip = '', country = ''] = text.split(' ');
    expect(findLostDigits(zip, country)).toBeNull();
  });

  test('whatever zeros a code loses, it is found', () => {
    const lengths = { DE: 5, US: 5, PL: 5, SE: 5, RO: 6, NO: 4, CH: 4, UA: 5, KR: 5, JP: 7, BR: 8 };
    const country = fc.constantFrom(...(Object.keys(lengths) as (keyof typeof lengths)[]));
    fc.assert(
      fc.property(
        country,
        fc.integer({ min: 1_000, max: 99_999_999 }),
        fc.integer({ min: 1, max: 3 }),
        (code, n, lost) => {
          const digits = String(n).slice(0, lengths[code] - lost);
          expect(findLostDigits(digits, code)).toBe(lengths[code]);
        },
      ),
    );
  });
});

describe('cells that a spreadsheet or a program has changed', () => {
  const languages = ['en', 'fr', 'nl', 'de'] as const;
  /** Returns the use with this name: a language, or a field. */
  function useOf(name: string): CellUse {
    const language = languages.find((each) => each === name);
    return language ? { language } : { field: name };
  }

  test.each([
    ...['NULL', 'null', 'nan', 'NaN', 'None', '#N/A', '\\N', 'undefined', '<NA>', 'n/a', '(null)'].map(
      (word) => `line1|${word}|`,
    ),
    ...['line1|Rue Haute nan|Rue Haute', 'name|undefined undefined|', 'zip|10115.0|10115', 'zip|10115,00|10115'],
    ...[
      'zip|10,115|10115',
      'line1|12.0|12',
      'line1|Kerkstraat 12.0|Kerkstraat 12',
      'nl|480.58|480,58',
      'nl|1250.0|1250',
    ],
    ...[
      'line1|12,00|12',
      'line1|12.0A|12A',
      'line1|12.0 bus 3.0|12 bus 3',
      'line1|12.0 Main St|12 Main St',
      'zip|1011.0 AB|1011 AB',
    ],
    ...[
      'box|-|',
      'line2|n.v.t.|',
      'line2|nvt|',
      'line2|k.A.|',
      'box|s.o.|',
      'company|Null|',
      'company|[null]|',
      'box|FALSE|',
      'line2|ONWAAR|',
    ],
    ...['line1|nan, Kerkstraat 12|Kerkstraat 12', 'state|--|', 'box|/|', 'company|NIL|'],
    ...['nl|€ 1,480.5|€ 1.480,5', 'en|1.480,58 EUR|1,480.58 EUR', 'fr|-1 480.58|-1 480,58', 'de|12.50%|12,50%'],
  ])('%s: the third is read for the second, and an apostrophe keeps it', (row) => {
    const [use = '', cell = '', text] = row.split('|');
    expect(readCell(cell, useOf(use))).toEqual({ text, change: expect.any(String) });
    expect(readCell(`'${cell}`, useOf(use))).toEqual({ text: cell, change: null });
  });

  test.each([
    ...[
      'name|Jan Null',
      'name|Nancy None-Such',
      'name|Industrie 4.0',
      "name|'t Hof",
      "name|'s-Gravenhage",
      'country|NA',
    ],
    ...['line1|12/3', 'line1|12-A', 'line1|3-4', 'line1|12½', 'line1|123 ½ Main St', 'line1|8 mai 1945', 'line1|1 Mai'],
    ...[
      'line1|Rue du 8-Mai-1945',
      'line1|3 bus 2.01',
      'zip|1012 AB',
      'zip|100 00',
      'nl|480,58',
      'nl|12.345',
      'nl|1.2.2026',
    ],
    ...[
      'name|Vrai',
      'city|Faux',
      'box|2.01',
      'box|0',
      'line1|12-14-16',
      'line1|1 Februari',
      'nl|-',
      'nl|FALSE',
      'nl|12%',
    ],
    ...['nl|4.2.1', 'nl|14:30', 'nl|3-apr', 'nl|none', 'nl|12.50 uur', 'nl|', 'en|480.58'],
  ])('%s stays as it is', (row) => {
    const [use = '', cell = ''] = row.split('|');
    expect(readCell(cell, useOf(use))).toEqual({ text: cell, change: null });
  });

  test('dates, times and fractions are faults in the parts of an address, and values of a template', () => {
    const dates = ['3-apr', '03-Apr', '3/apr', 'apr-26', '01. Feb', '01-févr', '4-mei-26', '2026-04-03', '3/4/2026'];
    const others = ['03.04.2026', '2026-04-03 00:00:00', '03:04', '3:04:00', '12:30 PM', '½', 'Rue ½', '3 april 2026'];
    const short = ['01.02.24', '02-01-24', '1/2/24', '1 feb', '12%'];
    for (const cell of [...dates, ...others, ...short, 'Kerkstraat 2026-04-03', 'Kerkstraat 1-feb']) {
      expect([cell, findIn({ 2: cell })]).toEqual([cell, ['2 date_in_address']]);
      expect([cell, findIn({ 3: cell })]).toEqual([cell, ['3 date_in_address']]);
      expect([cell, findIn({ 7: cell })]).toEqual([cell, []]);
    }
    expect(findIn({ 2: '0.5', 3: '12,5 %' })).toEqual(['2 date_in_address', '3 date_in_address']);
    expect(findIn({ 4: 'apr-00' })).toContain('4 date_in_address');
    expect(findIn({ 2: "'3-apr" })).toEqual([]);
  });

  test('what keeps a number as a text in a spreadsheet is not printed', () => {
    for (const field of ['zip', 'line1', 'box', 'reference'])
      for (const cell of ["'012", '="012"'])
        expect(readCell(cell, useOf(field))).toEqual({ text: '012', change: null });
    expect(readCell('="12.50"', useOf('nl'))).toEqual({ text: '12.50', change: null });
    expect(readCell("'68 Club", useOf('name'))).toEqual({ text: "'68 Club", change: null });
  });

  test('letters that were lost, and what only programs read, are faults', () => {
    for (const cell of ['Fran?ois', 'K?ln', 'Li├⌐ge', 'M\\u00fcller', 'M%C3%BCller'])
      expect(findIn({ 5: cell })).toEqual(['5 garbled']);
    for (const cell of ['[object Object]', '{{name}}', '{"street":"x"}'])
      expect(findIn({ 0: cell })).toEqual(['0 cell_error']);
    expect(findIn({ 0: 'Quo Vadis? BV', 5: 'Où ? Là' })).toEqual([]);
  });

  test('a cell that holds the rows after it is a fault, used or not, and a note of several lines is none', () => {
    const rows = 'soon\nPiet;Dorpstraat 2;9000;Gent;\nAn;Molenweg 3;9000;Gent;';
    expect(findSwallowedRows(['Jan', 'Kerkstraat 1', '9000', 'Gent', rows], ';')).toMatchObject([{ column: 4 }]);
    expect(findSwallowedRows(['"Jan;Kerk 1;9000;Gent\nPiet', 'Dorp 2', '9000', 'Gent'], ';')).toMatchObject([
      { column: 0 },
    ]);
    expect(findSwallowedRows(['Jan', 'Kerkstraat 1', '9000', 'Gent', 'Call first;\nthen ring'], ';')).toEqual([]);
  });

  test('lost digits and errors are faults in every column that is used; long numbers are warnings', () => {
    for (const cell of ['1.01E+04', '1,23457E+11', '1e+22', '1.0115E4', '46.1E+3'])
      for (const column of [0, 2, 7]) expect(findIn({ [column]: cell })).toEqual([`${column} scientific_notation`]);
    for (const cell of ['#REF!', '#NAME?', '#DIV/0!', '#WERT!', '#¿NOMBRE?', '########', 'Err:502', '#NO RESULT!'])
      for (const column of [1, 3, 5, 7]) expect(findIn({ [column]: cell })).toEqual([`${column} cell_error`]);
    for (const column of [0, 7]) expect(findIn({ [column]: '1234567890123456' })).toEqual([`${column} many_digits?`]);
    expect(findIn({ 7: '123456789012345' })).toEqual([]);
    expect(findIn({ 2: '2E3', 3: '#4' })).toEqual([]);
  });

  test('a word for no value is a warning, a fault where a value is needed, and an error in a spreadsheet', () => {
    expect(findIn({ 3: 'NULL', 2: 'nan', 7: 'NULL' }).sort()).toEqual(['2 null_word?', '3 null_word?', '7 null_word?']);
    expect(findIn({ 0: 'NULL', 5: 'None' })).toEqual(expect.arrayContaining(['0 null_word', '5 null_word']));
    expect(findIn({ 3: '#N/A' }, true)).toEqual(['3 cell_error']);
    expect(findIn({ 4: '1067.0' })).toEqual(['4 lost_zero', '4 decimals_removed?']);
  });

  test('no text of letters is changed, and nothing without a word about it', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('zip', 'line1', 'name', 'nl', 'en'), (cell, use) => {
        const { text, change } = readCell(cell, useOf(use));
        if (change === null && !cell.trim().startsWith("'")) expect(text).toBe(cell.trim());
        if (/^\p{L}{5,8}$/u.test(cell) && cell !== 'undefined') expect(text).toBe(cell);
      }),
    );
  });
});
