// Level: unit
import fc from 'fast-check';
import { fillTemplate, textsOf } from '#common/templates/text/fill-template.ts';
import { parseTemplate } from '#common/templates/text/parse-template.ts';
import { describeTextFault } from '#common/templates/text/text-faults.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const text = (content: string, isBold = false) => ({ kind: 'text', text: content, isBold });
const blocksOf = (source: string) => parseTemplate(source).blocks;
const faultsOf = (source: string) => parseTemplate(source).faults;

describe('the text of a template', () => {
  test('paragraphs keep their line breaks, and end at a blank line', () => {
    expect(blocksOf('One\r\nTwo\n\n\nThree')).toEqual([
      { kind: 'paragraph', runs: [text('One\nTwo')] },
      { kind: 'paragraph', runs: [text('Three')] },
    ]);
  });

  test('headings, lists, page breaks and bold are recognized', () => {
    expect(blocksOf('# A\n## B **b**\n- x\n- y\n  more\n1. p\n7) q\n***\n***\nEnd')).toEqual([
      { kind: 'heading', level: 1, runs: [text('A')] },
      { kind: 'heading', level: 2, runs: [text('B '), text('b', true)] },
      { kind: 'list', isNumbered: false, items: [[text('x')], [text('y\nmore')]] },
      { kind: 'list', isNumbered: true, items: [[text('p')], [text('q')]] },
      { kind: 'pageBreak' },
      { kind: 'pageBreak' },
      { kind: 'paragraph', runs: [text('End')] },
    ]);
  });

  test('a table has the columns of its rule; a bar can be escaped', () => {
    expect(blocksOf('| A | B | C |\n|:---|:---:|---:|\n| a\\|b | ((x??1|2)) |')).toEqual([
      {
        kind: 'table',
        aligns: ['left', 'center', 'right'],
        head: [[text('A')], [text('B')], [text('C')]],
        rows: [
          [
            [text('a|b')],
            [
              {
                kind: 'optional',
                name: 'x',
                spans: [{ ...text('1|2'), kind: 'text' }].map(({ kind: _, ...span }) => span),
              },
            ],
            [],
          ],
        ],
      },
    ]);
  });

  test('a backslash makes punctuation stand for itself; German dates and lone signs are text', () => {
    expect(blocksOf('\\# a \\*\\*b\\*\\* \\((c)) 2 * 3 ** 4')).toEqual([
      { kind: 'paragraph', runs: [text('# a **b** ((c)) 2 * 3 ** 4')] },
    ]);
    expect(blocksOf('12. Mai 2026')).toEqual([{ kind: 'paragraph', runs: [text('12. Mai 2026')] }]);
  });

  test('characters of no width are left out, also of names; a soft hyphen stays', () => {
    const { variables, faults } = parseTemplate('\ufeff# a\u200bb\u00adc ((na\u200dme))');
    expect([variables, faults]).toEqual([['name'], []]);
    expect(blocksOf('\ufeff# a\u200bb\u00adc')).toEqual([{ kind: 'heading', level: 1, runs: [text('ab\u00adc')] }]);
  });

  test.each(['1. a', '- a', '# a', '| a', 'a'])('a line separator in the line %p ends no line', (line) => {
    const source = `${line}\u2028b`;
    const { blocks } = parseTemplate(source);
    expect(JSON.stringify(blocks)).toContain(`${line.at(-1)}\u2028b`);
    expect(blocks).toHaveLength(1);
  });

  test('HTML, links, images, code and comments are only text', () => {
    const source = '<b>x</b> [a](http://b) ![i](j) `c` <!-- d --> &amp; $e$ #let f';
    expect(blocksOf(source)).toEqual([{ kind: 'paragraph', runs: [text(source)] }]);
  });

  test('variables are listed once, whatever their case and spaces', () => {
    expect(parseTemplate('((First name)) ((first_name)) ((VAT??x)) ((vat))').variables).toEqual(['First name', 'VAT']);
  });

  test.each([
    ['an open variable', 'a\nb ((c', 2, '(( is not closed'],
    ['an impossible name', '((a<b))', 1, 'is not a name'],
    ['a variable inside of optional text', '((a??b ((c)) d))', 1, 'can contain no other variable'],
    ['a third level of headings', '### a', 1, 'two levels'],
    ['too many cells', '|a|\n|---|\n|1|2|', 3, 'This row has 2 cells'],
    ['a character that the font lacks', 'a\n漢', 2, 'no 漢'],
    ['a replaced character', 'a\nbc\ufffd 漢', 2, 'A character was lost at position 3 (U+FFFD).'],
    ['text that turns round', 'a\n\n💌\u202eb', 3, 'Character 2 (U+202E)'],
    ['a line separator', 'a\u2028b', 1, 'Character 2 (U+2028)'],
    ['only characters of no width', '\u200b\ufeff', 1, 'must not be empty'],
    ['an empty text', ' \n', 1, 'must not be empty'],
    ['a text of page breaks', '***\n\n***', 1, 'must not be empty'],
    ['too many page breaks', 'a\n***\n'.repeat(51), 1, 'at most 49 page breaks'],
    ['too many variables', Array.from({ length: 101 }, (_, i) => `((v${i}))`).join(' '), 1, 'at most 100 variables'],
    ['too much text', 'a'.repeat(50_001), 1, 'at most 50000'],
  ])('%s is a fault with its line', (_title, source, line, message) => {
    const described = faultsOf(source).map((fault) => ({ line: fault.line, message: describeTextFault(fault) }));
    expect(described).toContainEqual({ line, message: expect.stringContaining(message) });
  });

  test('any text is parsed, in time that grows with its length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('((', '))', '??', '**', '|', '\\', '\n', '|---|', '- ', '1. ', '# ', 'a', ' ')),
        (parts) => {
          expect(Array.isArray(parseTemplate(parts.join('')).blocks)).toBe(true);
        },
      ),
    );
    for (const part of ['((a??', '**', '|\n', '\\', '- a\n', '((a)) ', '|a|\n|---|\n', '(( '])
      parseTemplate(part.repeat(Math.floor(50_000 / part.length)));
  });
});

describe('a filled template', () => {
  const fill = (source: string, variables: Record<string, string | boolean>) =>
    fillTemplate(blocksOf(source), textsOf(variables));

  test('a value is one piece of text, whatever it contains', () => {
    const value = '# a\n\n- **b** ((c)) | *** \\';
    expect(fill('x ((v))', { v: value })).toEqual([
      {
        kind: 'paragraph',
        runs: [
          { text: 'x ', isBold: false },
          { text: value, isBold: false },
        ],
      },
    ]);
  });

  test('a value is printed without characters of no width, but may break at its soft hyphens', () => {
    expect(textsOf({ v: '\ufeff un\u00aden\u200bding' }).get('v')).toBe('un\u00adending');
  });

  test.each([
    ['yes', true],
    ['Ja', true],
    ['OUI', true],
    [true, true],
    ['1', true],
    ['no', false],
    ['', false],
    [false, false],
    ['perhaps', false],
  ])('optional text for %p is shown: %p', (value, isShown) => {
    expect(fill('a\n\n((f??b))\n\n- ((f??c))', { f: value })).toHaveLength(isShown ? 3 : 1);
  });

  test('a letter with too many characters is refused', () => {
    expect(() => fill('((v)) '.repeat(50), { v: 'x'.repeat(5_000) })).toThrow(RangeError);
  });
});
