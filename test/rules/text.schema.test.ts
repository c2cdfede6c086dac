// Level: unit
import fc from 'fast-check';
import { addressFields, CountryCode, checkZip, lineOfText, printedLine } from '#common/fields/text.schema.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const line = lineOfText(100);
const messagesOf = (value: unknown, schema = line) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

/** One visible character, several code points: the limit counts code points. */
const characters = {
  'a letter': ['a', 1],
  'a letter with its accent': ['é', 1],
  'a letter and a combining accent': ['e\u0301', 2],
  'an emoji outside the basic plane': ['💌', 1],
  'an emoji of a family, joined': ['👨‍👩‍👧', 5],
  'a flag': ['🇧🇪', 2],
  'a Chinese character': ['郵', 1],
  'a rare Chinese character': ['𠮷', 1],
} as const;

describe('a line of text', () => {
  test.each(Object.entries(characters))('a line full of %s may have 100 code points', (_, [text, points]) => {
    const full = text.repeat(Math.floor(100 / points)) + 'x'.repeat(100 % points);
    expect([...full]).toHaveLength(100);
    expect(messagesOf(full)).toEqual([]);
    expect(messagesOf(`${full}x`)).toEqual(['Must have at most 100 characters.']);
  });

  test.each([
    ['  Ada ', 'Ada'],
    ['\tAda\n', 'Ada'],
    ['\u00a0Ada\u3000', 'Ada'],
    ['\ufeffAda', 'Ada'],
    ['Ada  Peeters', 'Ada  Peeters'],
    [`${' '.repeat(1_000)}A`, 'A'],
  ])('%j is trimmed at its ends only', (text, trimmed) => {
    expect(line.parse(text)).toBe(trimmed);
  });

  test.each(['', ' ', '\t\r\n', '\u2003'])('%j counts as empty', (text) => {
    expect(messagesOf(text)).toEqual(['Must not be empty.']);
  });

  const controls = [...Array(32).keys(), ...Array.from({ length: 33 }, (_, index) => 0x7f + index)];
  test('every control character inside a line is refused', () => {
    expect(controls).toHaveLength(65);
    for (const code of controls) {
      expect([code, messagesOf(`a${String.fromCharCode(code)}b`)]).toEqual([
        code,
        ['Must not contain control characters.'],
      ]);
    }
  });

  test.each(['\ud83d', '\udc8c', 'a\ud83d', '\ud83da', '\udc8c\ud83d'])('the lone surrogate %# is refused', (text) => {
    expect(messagesOf(text)).toEqual(['Must be well-formed Unicode.']);
  });

  const formats = ['a\u00adb', 'a\u200db', 'a\u200fb', 'a\ufffdb', 'a\u2028b'];
  test.each(formats)('the format character %# is accepted, because it is not a control character', (text) => {
    expect(messagesOf(text)).toEqual([]);
  });

  test.each([1, true, null, undefined, ['a'], { a: 1 }])('%j is not text', (value) => {
    expect(messagesOf(value)).toHaveLength(1);
  });

  test.each([
    ['a\u00adb\u200bc\ufeffd', 'abcd'],
    ['Zoë\u200b', 'Zoë'],
    [' \u200e Ada \u200f', 'Ada'],
    ['\u2060Ada', 'Ada'],
    ['Łódź – „Sofia” № 1', 'Łódź – „Sofia” № 1'],
  ])('the printed line %j is printed as %j', (text, printed) => {
    expect(printedLine(100).parse(text)).toBe(printed);
  });

  test.each([
    ['Ada\ufffd', 'A character was lost at position 4 (U+FFFD). Write it again.'],
    ['\u202eada', 'Character 1 (U+202E) cannot be printed. Take it out.'],
    ['a\u2066b', 'Character 2 (U+2066) cannot be printed. Take it out.'],
    ['💌\u2028b', 'Character 2 (U+2028) cannot be printed. Take it out.'],
    ['a\u{e0041}', 'Character 2 (U+E0041) cannot be printed. Take it out.'],
    ['\u200b\u00ad', 'Must not be empty.'],
  ])('the printed line %j is refused, with the position of what is wrong', (text, message) => {
    expect(messagesOf(text, printedLine(100))).toEqual([message]);
  });

  test('an accepted text is trimmed, not empty, within the limit and can be stored', () => {
    forAny([fc.string({ unit: 'binary', maxLength: 120 })], (text) => {
      const parsed = line.safeParse(text);
      if (!parsed.success) return;
      expect(parsed.data).toBe(text.trim());
      expect([...parsed.data].length).toBeGreaterThan(0);
      expect([...parsed.data].length).toBeLessThanOrEqual(100);
      expect(Buffer.from(parsed.data).toString()).toBe(parsed.data);
    });
  });
});

describe('the lines of an address', () => {
  test.each([
    ['name', 100],
    ['line1', 100],
    ['line2', 100],
    ['zip', 16],
    ['city', 80],
  ] as const)('given %s, when it has up to %i code points, then it passes, and one more does not', (field, limit) => {
    expect(addressFields[field].safeParse('é'.repeat(limit)).success).toBe(true);
    expect(addressFields[field].safeParse('💌'.repeat(limit)).success).toBe(true);
    expect(addressFields[field].safeParse('é'.repeat(limit + 1)).success).toBe(false);
  });

  test('null means absent for line2 and is refused for other lines', () => {
    for (const [field, schema] of Object.entries(addressFields)) {
      expect([field, schema.safeParse(null).success]).toEqual([field, field === 'line2']);
      expect([field, schema.safeParse(undefined).success]).toEqual([field, field === 'line2']);
    }
  });

  test('a country is trimmed and must be a known upper-case code', () => {
    expect(CountryCode.parse(' BE ')).toBe('BE');
    for (const code of ['be', 'BEL', 'ZZ', '', 1, null]) expect(CountryCode.safeParse(code).success).toBe(false);
  });

  test.each([
    ['BE', '1000', true],
    ['BE', '9999', true],
    ['BE', '999', false],
    ['BE', '0999', false],
    ['BE', 'B-1000', false],
    ['NL', '1011 AB', true],
    ['GB', 'SW1A 1AA', true],
    ['FR', '0', true],
  ])('for %s the zip %s is checked only if the country is Belgium', (country, zip, isFine) => {
    expect(checkZip({ country, zip }) === null).toBe(isFine);
  });
});
