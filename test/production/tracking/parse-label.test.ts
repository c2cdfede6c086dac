// Level: unit
import { toMarkText } from '#common/documents/addressing/sheet-mark.ts';
import { parseScan } from '#common/production/operator/parse-scan.ts';
import { parseLabel } from '#common/production/tracking/parse-label.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('the mark of a sheet', () => {
  const itemId = 'mi_01kq0000000000000000000000';
  const mark = toMarkText(itemId, 1, 2);
  test.each([
    ['in capitals with a line end', `${mark}\r\n`],
    ['with a symbology identifier', `]d2${mark}`],
    ['in small letters between spaces and a tab', `  ${mark.toLowerCase()}\t`],
  ])('is read as scanners send it: %s', (_how, typed) => {
    expect(parseScan(typed)).toEqual({ kind: 'item', itemId, sheet: 1, sheets: 2 });
  });

  test('may be a plain id; any other text, and a sheet after the last one, is none', () => {
    expect(parseScan(` ${itemId}\t`)).toEqual({ kind: 'item', itemId, sheet: null, sheets: null });
    const others = ['BJ& ,I°à&?', toMarkText(itemId, 3, 2), 'bat_nothing', ''];
    for (const typed of others) expect([typed, parseScan(typed)]).toEqual([typed, null]);
  });
});

describe('the number on a label', () => {
  // The check digits of UPU standard S10: the published example, and the ones where 11 - remainder is 10 or 11.
  test.each([['RR473124829XX'], ['RR000000005XX'], ['RR000000014XX'], ['RR123456785XX'], ['VV000000005XX']])(
    '%s is a number of S10',
    (number) => {
      expect(parseLabel(number)).toEqual({ tracking: { number, scheme: 's10' } });
    },
  );

  test('a serial whose check digit would be 10 has 0', () => {
    // 8 x 7 = 56 = 5 x 11 + 1.
    expect(parseLabel('RR700000000XX')).toEqual({ tracking: { number: 'RR700000000XX', scheme: 's10' } });
  });

  test('of the ten digits, exactly one is the check digit, and the others are refused', () => {
    const labels = Array.from({ length: 10 }, (_, digit) => `RR47312482${digit}XX`);
    const taken = labels.filter((label) => 'tracking' in parseLabel(label));
    expect(taken).toEqual(['RR473124829XX']);
    const problem = expect.stringContaining('wrong check digit');
    expect(parseLabel('RR473124828XX')).toEqual({ problem });
  });

  test('two exchanged digits next to each other are refused', () => {
    const digits = [...'47312482'];
    for (let index = 0; index < 7; index += 1) {
      const [one = '', two = ''] = digits.slice(index, index + 2);
      const exchanged = digits.toSpliced(index, 2, two, one).join('');
      expect(parseLabel(`RR${exchanged}9XX`)).toEqual({ problem: expect.any(String) });
    }
  });

  test.each([
    ['RR 4731 2482 9 XX', 'RR473124829XX', 's10'],
    ['  rr473124829xx\r\n', 'RR473124829XX', 's10'],
    ['010 41287 41287 00000 00000 00012 34', `010${'41287'.repeat(2)}00000000000001234`, 'bpost-30'],
    ['ab 12c', 'AB12C', 'other'],
  ])('%p counts without its spaces and in capitals', (text, number, scheme) => {
    expect(parseLabel(text)).toEqual({ tracking: { number, scheme } });
  });

  test.each([
    ['010'.padEnd(30, '7'), 'bpost-30'],
    ['010'.padEnd(29, '7'), 'other'],
    ['010'.padEnd(31, '7'), 'other'],
    ['011'.padEnd(30, '7'), 'other'],
    ['A1B2C', 'other'],
    ['9'.repeat(40), 'other'],
    ['JJBEA'.padEnd(23, '7'), 'bpost-jjbea'],
    ['jj bea 123456 789012 345678', 'bpost-jjbea'],
    ['JJBEA'.padEnd(22, '7'), 'other'],
    ['JJBEA'.padEnd(24, '7'), 'other'],
    ['JJBEB'.padEnd(23, '7'), 'other'],
    // One character less and more than S10.
    ['RR47312482XX', 'other'],
    ['RR4731248290XX', 'other'],
  ])('%s is of the scheme %s', (text, scheme) => {
    const number = text.replaceAll(' ', '').toUpperCase();
    expect(parseLabel(text)).toEqual({ tracking: { number, scheme } });
  });

  test.each([
    ['', 'Nothing was read'],
    [' \r\n', 'Nothing was read'],
    ['A1B2', '5 to 40 characters, and this has 4'],
    ['9'.repeat(41), '5 to 40 characters, and this has 41'],
    [`${' '.repeat(96)}A1B2C`, 'longer'],
    ['A1-B2-C3', 'only letters from A to Z'],
    ['straße12', 'only letters from A to Z'],
    ['ſtamp12', 'only letters from A to Z'],
    ['１２３４５６', 'only letters from A to Z'],
    ['A1B2C\u001d', 'only letters from A to Z'],
    [toMarkText('mi_01kq0000000000000000000000', 1, 2), 'mark of a letter'],
    ['mi_01kq0000000000000000000000', 'mark of a letter'],
  ])('%p is refused, with the reason', (text, problem) => {
    expect(parseLabel(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
