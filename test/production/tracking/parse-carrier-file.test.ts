// Level: unit
import { maxCarrierLines, parseCarrierFile } from '#common/production/tracking/parse-carrier-file.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { s10Of } from '#test/support/production/s10-of.ts';

const header = 'trackingNumber,event,at';
const number = s10Of(1);
const at = '2027-03-02T10:15:00+01:00';
const parsed = { trackingNumber: number, event: 'delivered', at: new Date('2027-03-02T09:15:00Z'), reason: {} };
const parse = (text: string) => parseCarrierFile(Buffer.from(text));

describe('a carrier file', () => {
  test.each([
    ['LF', `${header}\n${number},delivered,${at}\n`],
    ['CRLF', `${header}\r\n${number},delivered,${at}\r\n`],
    ['no end of the last line', `${header}\n${number},delivered,${at}`],
    ['a byte order mark', `\ufeff${header}\n${number},delivered,${at}\n`],
    ['quotes', `"trackingNumber","event","at"\r\n"${number}","delivered","${at}"\r\n`],
    [
      'small letters and spaces in the number',
      `${header}\n${number.toLowerCase().replace('rr', 'rr ')},delivered,${at}`,
    ],
    ['a time in UTC', `${header}\n${number},delivered,2027-03-02T09:15:00Z`],
  ])('with %s is read', (_what, text) => {
    expect(parse(text)).toEqual({ lines: [{ line: 2, ...parsed }], bad: [] });
  });

  test('counts its lines from the header, with the empty ones', () => {
    const { lines, bad } = parse(`${header}\n\n${number},delivered,${at}\n\nx\n`) as { lines: object[]; bad: object[] };
    expect(lines).toMatchObject([{ line: 3 }]);
    expect(bad).toMatchObject([{ line: 5 }]);
  });

  test('may have no events', () => {
    expect(parse(header)).toEqual({ lines: [], bad: [] });
  });

  test.each([
    ['two fields', `${number},delivered`, 'not 3 fields but 2'],
    ['four fields', `${number},delivered,${at},x`, 'not 3 fields but 4'],
    ['semicolons', `${number};delivered;${at}`, 'not 3 fields but 1'],
    ['a misread number', `RR473124828XX,delivered,${at}`, 'check digit'],
    ['no number', `,delivered,${at}`, 'Nothing was read'],
    ['no event', `${number},,${at}`, 'event'],
    ['an event in capitals', `${number},DELIVERED,${at}`, 'event'],
    ['an event of 41 letters', `${number},${'a'.repeat(41)},${at}`, 'event'],
    ['a day without time', `${number},delivered,2027-03-02`, 'time'],
    ['a time without zone', `${number},delivered,2027-03-02T10:15:00`, 'time'],
    ['a day that does not exist', `${number},delivered,2027-02-30T10:15:00Z`, 'time'],
    ['301 characters', `${number},delivered,${at}`.padEnd(301), 'more than 300 characters'],
    ['a quote that ends within a field', `"${number}"x,delivered,${at}`, 'only letters'],
  ])('with a line of %s names it, and takes the others', (_what, row, problem) => {
    expect(parse(`${header}\n${row}\n${number},delivered,${at}\n`)).toEqual({
      lines: [{ line: 3, ...parsed }],
      bad: [{ line: 2, problem: expect.stringContaining(problem) }],
    });
  });

  const withReason = (reason: string) => parse(`${header},reasonCode,reasonText\n${number},delivered,${at},${reason}`);
  test.each([
    ['S11,Adresse inconnue', { reasonCode: 'S11', reasonText: 'Adresse inconnue' }],
    ['S11,"moved, ""gone"""', { reasonCode: 'S11', reasonText: 'moved, "gone"' }],
    ['S11,', { reasonCode: 'S11' }],
    [',', {}],
  ])('may say why: %s', (words, reason) => {
    expect(withReason(words)).toEqual({ lines: [{ line: 2, ...parsed, reason }], bad: [] });
  });

  test.each([
    ['S11', 'not 5 fields but 4'],
    ['S 11,', 'reason code'],
    [`${'S'.repeat(21)},`, 'reason code'],
    [`,${'x'.repeat(101)}`, '100 characters'],
    [',a\u0007b', '100 characters'],
  ])('does not take %p for a reason', (words, problem) => {
    expect(withReason(words)).toEqual({ lines: [], bad: [{ line: 2, problem: expect.stringContaining(problem) }] });
  });

  test('takes an event of 40 letters, digits and dashes', () => {
    const event = 'in-transit_2'.padEnd(40, 'x');
    expect(parse(`${header}\n${number},${event},${at}`)).toMatchObject({ lines: [{ event }], bad: [] });
  });

  test.each([
    ['', 'first line'],
    [`${number},delivered,${at}\n`, 'first line'],
    ['event,trackingNumber,at\n', 'first line'],
    ['trackingnumber,event,at\n', 'first line'],
  ])('that begins with %p is refused', (text, problem) => {
    expect(parse(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test('that is not UTF-8 is refused', () => {
    const bytes = Buffer.concat([Buffer.from(header), Buffer.from([0x0a, 0xff, 0xfe])]);
    expect(parseCarrierFile(bytes)).toEqual({ problem: expect.stringContaining('UTF-8') });
  });

  test.each(['', '\n'])('may have 50,000 lines and not one more, with %p at its end', (end) => {
    const row = `${number},delivered,${at}`;
    const withLines = (count: number) => parse([header, ...Array(count).fill(row)].join('\n') + end);
    expect(withLines(maxCarrierLines)).toMatchObject({ lines: { length: maxCarrierLines }, bad: [] });
    expect(withLines(maxCarrierLines + 1)).toEqual({ problem: expect.stringContaining('more than 50000 lines') });
  });

  test('of 8 MiB of line ends is refused without reading them all', () => {
    expect(parse(header + '\n'.repeat(8 * 1024 * 1024))).toEqual({ problem: expect.stringContaining('50000 lines') });
  });
});
