// Level: push
import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import type { LetterContent } from '#common/documents/typesetting/letter-content.ts';
import {
  aLetterOf,
  openTypesetting,
  signal,
  textOf,
  useTypesetting,
} from '#test/support/documents/typesetting/use-typesetting.ts';
import { describe, expect, openOnce, test, testWithPrograms } from '#test/support/jest.ts';

/** Every character that means something in Typst or Markdown. */
const special =
  '#let x = 1; #x $a_b^c$ *b* _i_ ' +
  '`c`' +
  String.raw` <l> @r = h - + / // /* */ ~ -- --- ... \ \n [g](h) ![i](j) | {k} "q" 'a' ((v)) ((f??t)) *** ** # ## 1. &amp; %`;
const logo = openOnce(async () => ({
  bytes: await sharp({ create: { width: 600, height: 300, channels: 3, background: '#204080' } })
    .png()
    .toBuffer(),
}));
const typesetText = testWithPrograms('pdftotext');

describe('a typeset letter', () => {
  const pool = useTypesetting();
  const typeset = (content: LetterContent) => pool.typeset(content, 'org', signal);
  const head = (lines: string[] = ['Acme']): LetterContent['letterhead'] => ({
    logo: { type: 'png', bytes: logo.bytes },
    senderLines: lines,
    footerLines: ['Acme NV, Brussel'],
  });

  test('the same letter gives the same bytes, in any process and whatever was typeset before', async () => {
    const content = aLetterOf(
      '# T\n\n((v))\n\n- a\n\n| x | y |\n|---|---:|\n| 1 | 2 |',
      { v: special },
      { letterhead: head() },
    );
    const first = await typeset(content);
    await typeset(aLetterOf('Something else'));
    const other = openTypesetting({ sharing: 'none' });
    const inOther = await other.typeset(content, 'other', signal);
    other.close();
    expect((await typeset(content)).pdf.equals(first.pdf)).toBe(true);
    expect(inOther.pdf.equals(first.pdf)).toBe(true);
    expect(first.pdf.toString('latin1')).not.toMatch(/CreationDate|ModDate/);
  });

  typesetText('every special character of a value prints as itself, in a line, an item and a cell', async () => {
    // A line may break between any two of them.
    const words = (text: string) => text.replaceAll(/[\s\u200b\u00ad]+/g, '');
    for (const text of ['((v))', '- ((v))', '| h |\n|---|\n| ((v)) |', '# ((v))', '**((v))**']) {
      const printed = words(textOf(await typeset(aLetterOf(text, { v: special }))));
      expect(printed.replace(/^[h•]/, '')).toBe(words(special));
    }
  });

  typesetText('long words are hyphenated by the rules of the language', async () => {
    const wordsOf = async (language: LetterContent['language'], word: string) => {
      const text = Array.from({ length: 60 }, () => word).join(' ');
      const printed = textOf(await typeset(aLetterOf(text, {}, { language })));
      return new Set([...printed.matchAll(/(\p{L}+)[\u00ad-]\n/gu)].map(([, start]) => start));
    };
    expect(await wordsOf('nl', 'aansprakelijkheidsverzekering')).toContain('aansprakelijk');
    expect(await wordsOf('de', 'Rechtsschutzversicherung')).toContain('Rechts');
    expect((await wordsOf('fr', 'anticonstitutionnellement')).size).toBeGreaterThan(0);
    expect(await wordsOf('en', 'typesetting')).not.toContain('types');
  });

  typesetText('a table keeps its columns, and its head is repeated on the next page', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `| item ${i} | ${i},00 |`).join('\n');
    const { pageCount, pdf } = await typeset(aLetterOf(`| Article | Price |\n|---|---:|\n${rows}`));
    expect(pageCount).toBe(2);
    const printed = textOf({ pdf, pageCount }, '-layout');
    expect(printed.match(/Article +Price/g)).toHaveLength(2);
    expect(printed).toMatch(/item 59 +59,00/);
  });

  typesetText('a page break starts a page, with its number; Greek and Cyrillic are printed', async () => {
    const set = await typeset(aLetterOf('One\n\n***\n\nΕλληνικά\n\n***\n***\n\nКириллица'));
    expect(set.pageCount).toBe(3);
    expect(
      textOf(set)
        .split('\f')
        .map((page) => page.trim().split(/\s+/)),
    ).toMatchObject([['One', '1/3'], ['Ελληνικά', '2/3'], ['Кириллица', '3/3'], ['']]);
  });

  typesetText('numbers and long names break inside of the text, and nothing is cut off', async () => {
    const long = 'BE68'.repeat(60);
    const cells = `| a | b | c |\n|---|---|---|\n| ${long} | ${long} | ${long} |`;
    const set = await typeset(aLetterOf(`${long}\n\n${cells}`, {}, { letterhead: head([long.slice(0, 120)]) }));
    const boxes = execFileSync('pdftotext', ['-bbox', '-', '-'], { input: set.pdf, encoding: 'utf8' });
    const right = Math.max(...[...boxes.matchAll(/xMax="([\d.]+)"/g)].map(([, x]) => Number(x)));
    // 210 mm less 10 mm.
    expect(right).toBeLessThan(567);
  });

  typesetText.each([
    ['amounts', '1.234.567,89'],
    ['words', 'Hoeveelheid'],
    ['capitals', 'WWWWWWWWWWWW'],
  ])('ten columns of %s are not printed over each other', async (_title, cell) => {
    const rowOf = (content: string) => `|${`${content}|`.repeat(10)}`;
    const set = await typeset(aLetterOf([rowOf('h'), rowOf('---:'), rowOf(cell)].join('\n')));
    const boxes = execFileSync('pdftotext', ['-bbox', '-', '-'], { input: set.pdf, encoding: 'utf8' });
    const words = [...boxes.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)"/g)].map(([, ...box]) =>
      box.map(Number),
    );
    const lines = [...Map.groupBy(words, ([, top]) => top).values()];
    const gaps = lines.flatMap((line) => {
      const sorted = line.toSorted(([a = 0], [b = 0]) => a - b);
      return sorted.slice(1).map(([left = 0], index) => left - (sorted[index]?.[2] ?? 0));
    });
    expect(gaps.length).toBeGreaterThanOrEqual(18);
    expect(Math.min(...gaps)).toBeGreaterThan(0);
  });

  test('a damaged logo is a fault with its name, and the next letter is typeset', async () => {
    const bytes = Buffer.concat([logo.bytes.subarray(0, 60), Buffer.alloc(400, 7)]);
    const letterhead = { ...head(), logo: { type: 'png', bytes } } as LetterContent['letterhead'];
    await expect(typeset(aLetterOf('x', {}, { letterhead }))).rejects.toMatchObject({ fault: 'logo_unreadable' });
    expect((await typeset(aLetterOf('x', {}, { letterhead: head() }))).pageCount).toBe(1);
  });

  test('texts and logos that look like pages of a PDF are not counted as pages', async () => {
    const page = '/Type /Page ';
    expect((await typeset(aLetterOf('# ((v))', { v: page.repeat(3) }))).pageCount).toBe(1);
    const plain = await sharp(logo.bytes).jpeg().toBuffer();
    const comment = Buffer.from(`\xff\xfe\x00\x0e${page}`, 'latin1');
    const bytes = Buffer.concat([plain.subarray(0, 2), comment, plain.subarray(2)]);
    const letterhead = { ...head(), logo: { type: 'jpeg', bytes } } as LetterContent['letterhead'];
    const { pdf, pageCount } = await typeset(aLetterOf('x', {}, { letterhead }));
    expect(pdf.includes(bytes)).toBe(true);
    expect(pageCount).toBe(1);
  });

  test('a letter of too many pages is refused', async () => {
    const content = aLetterOf('((v))\n\n'.repeat(30) + '***\n\nx\n\n'.repeat(49), { v: 'word '.repeat(990) });
    await expect(typeset(content)).rejects.toMatchObject({ fault: 'too_many_pages' });
  });
});
