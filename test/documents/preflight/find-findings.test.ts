// Level: unit
import { type DocumentFault, documentFaults } from '#common/documents/isolation/document-error.ts';
import { faultDocumentation, findingOfFault } from '#common/documents/preflight/fault-findings.ts';
import { findFindings, type LetterToJudge } from '#common/documents/preflight/find-findings.ts';
import { findingTable } from '#common/documents/preflight/finding-table.ts';
import { letterFacts } from '#common/documents/preflight/letter-facts.ts';
import type { PageReport } from '#common/documents/preflight/page-report.ts';
import { faultlessPage } from '#test/support/documents/preflight/faultless-page.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const box = { x: 22, y: 60.25, width: 40, height: 10 };

function judge(pages: readonly Partial<PageReport>[], letter: Partial<LetterToJudge> = {}) {
  const report = { pages: pages.map((page) => ({ ...faultlessPage, ...page })) };
  const facts = letterFacts(pages.length);
  const filePageCounts = [pages.length];
  return findFindings(report, {
    facts,
    scheme: 'window-left',
    color: false,
    placement: 'cover',
    coverPageReason: null,
    hasAlwaysCoverPage: false,
    filePageCounts,
    addressProblems: [],
    ...letter,
  });
}
const codes = (...parameters: Parameters<typeof judge>) => judge(...parameters).map(({ code }) => code);

describe('the findings about a letter', () => {
  test('a letter without a fault has none', () => {
    expect(judge([{}, {}])).toEqual([]);
  });

  test('content in the window is judged by the scheme and by when a cover page is put in front', () => {
    const inLeft = [{ windows: { ...faultlessPage.windows, 'window-left': box } }];
    expect(codes(inLeft)).toEqual(['cover_page_added']);
    expect(codes(inLeft, { placement: 'none' })).toEqual(['window_not_blank']);
    expect(codes(inLeft, { hasAlwaysCoverPage: true })).toEqual([]);
    expect(codes(inLeft, { coverPageReason: 'severalRecipients' })).toEqual(['cover_page_needed']);
    expect(codes(inLeft, { scheme: 'window-right' })).toEqual([]);
  });

  test('they name page, box, numbers and what to do, and the file when there are several', () => {
    expect(judge([{}, {}, { outside: [box] }], { filePageCounts: [2, 1] })).toEqual([
      {
        code: 'outside_printable_area',
        severity: 'warning',
        page: 3,
        boxMm: box,
        message:
          'Page 3 (page 1 of file 2) has content less than 5 mm from its edge: 40.0 x 10.0 mm, 22.0 mm from the left and 60.3 mm from the top. Printers leave these edges blank, so that part is not printed.',
        fix: 'Move or shrink the content: leave at least 5 mm blank at each edge.',
      },
    ]);
  });

  test('content in the place of the mark matters on fronts of sheets only', () => {
    const pages = [{}, { mark: box }, { mark: box }];
    const pagesOf = (letter?: Partial<LetterToJudge>) => judge(pages, letter).map(({ page }) => page);
    expect(pagesOf()).toEqual([3]);
    expect(pagesOf({ facts: letterFacts(3, { doubleSided: false }) })).toEqual([2, 3]);
  });

  test('a font is one finding, at its first page', () => {
    const pages = [{}, { fonts: ['Arial'] }, { fonts: ['Arial', ''] }];
    expect(judge(pages).map(({ page, message }) => [page, message])).toEqual([
      [
        2,
        'The font Arial, used on 2 pages, the first of them page 2, is not embedded. Another font may be printed in its place.',
      ],
      [3, 'A font without a name, used on page 3, is not embedded. Another font may be printed in its place.'],
    ]);
  });

  test('colours are one finding, at their first page, unless the letter is printed in colour', () => {
    const pages = [{}, { isColoured: true }, { isColoured: true }];
    expect(judge(pages).map(({ code, page, message }) => [code, page, message])).toEqual([
      [
        'printed_grey',
        2,
        expect.stringMatching(/^2 pages have colours, the first of them page 2\. In a black-and-white/),
      ],
    ]);
    expect(codes(pages, { color: true })).toEqual([]);
  });

  test('they are ordered by page and severity, those about the whole letter last', () => {
    const pages = [
      { isBlank: true, images: [{ dpi: 72, box }] },
      ...Array.from({ length: 13 }, () => ({})),
      { isBlank: true },
    ];
    const addressProblems = [{ recipientIndex: 1, problem: 'It has 8 lines, and 6 are the most.', isSmall: false }];
    const found = judge(pages, { addressProblems });
    expect(found.map(({ code, page }) => [code, page])).toEqual([
      ['low_resolution', 1],
      ['blank_page', 1],
      ['blank_page', 15],
      ['address_not_printable', null],
      ['larger_envelope', null],
    ]);
    expect(found[3]?.message).toBe('The address of recipient 2 cannot be printed. It has 8 lines, and 6 are the most.');
  });

  test('at most 20 findings of a kind are listed, but all errors', () => {
    const addressProblems = Array.from({ length: 30 }, (_, recipientIndex) => ({
      recipientIndex,
      problem: 'It is empty.',
      isSmall: false,
    }));
    const found = judge(
      Array.from({ length: 12 }, () => ({ outside: [box, box] })),
      { addressProblems },
    );
    expect(found.filter(({ code }) => code === 'outside_printable_area')).toHaveLength(20);
    expect(found.filter(({ code }) => code === 'address_not_printable')).toHaveLength(30);
    expect(found.at(-1)?.message).toBe('4 more findings of the kind outside_printable_area are not listed.');
  });

  test('a letter over 2 kg is sent in several envelopes', () => {
    expect(codes(Array.from({ length: 800 }, () => ({})))).toEqual(['several_envelopes']);
  });
});

describe('the findings about files that cannot be printed', () => {
  const faults = Object.keys(documentFaults) as DocumentFault[];

  test.each(faults)('%s has the text of the failed mail job, and a documentation', (fault) => {
    const { message, fix, code, severity } = findingOfFault(fault, 2);
    expect(`${message} ${fix}`).toBe(`File 3 ${documentFaults[fault].message}`);
    expect([message, fix].every((text) => /^[A-Z].+\.$/.test(text))).toBe(true);
    expect(severity).toBe('error');
    expect(Object.keys(faultDocumentation)).toContain(code);
  });

  test('no two findings have the same code', () => {
    expect(Object.keys(findingTable).filter((code) => Object.hasOwn(faultDocumentation, code))).toEqual([]);
  });
});
