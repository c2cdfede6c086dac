import type { LetterReport, PageReport } from '#common/documents/preflight/page-report.ts';
import type { Placement } from '#common/documents/sheet/envelope-schemes.ts';
import { judgeLetter, schemeFor } from '#common/mail-jobs/render/judge-letter.ts';
import { type CoverPageRule, coverPageRules } from '#common/organizations/organization.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const ink = { x: 30, y: 50, width: 10, height: 5 };
const blankPage: PageReport = {
  widthMm: 210,
  heightMm: 297,
  rotation: 0,
  fitted: null,
  isBlank: false,
  outside: [],
  windows: { 'window-left': null, 'window-right': null, registered: null },
  mark: null,
  fonts: [],
  images: [],
  isIncomplete: false,
};
const withPage = (page: Partial<PageReport>): LetterReport => ({ pages: [{ ...blankPage, ...page }] });
const letters: Record<string, LetterReport | null> = {
  blank: withPage({}),
  inked: withPage({ windows: { ...blankPage.windows, 'window-left': ink } }),
  'inked on the right': withPage({ windows: { ...blankPage.windows, 'window-right': ink } }),
  'in landscape': withPage({ widthMm: 297, heightMm: 210 }),
  'of another size': withPage({ widthMm: 216, heightMm: 279 }),
  'not measured': null,
};
const expected: [string, Record<CoverPageRule, Placement>][] = [
  ['blank', { auto: 'page', always: 'cover', never: 'page' }],
  ['inked', { auto: 'cover', always: 'cover', never: 'none' }],
  ['inked on the right', { auto: 'page', always: 'cover', never: 'page' }],
  ['in landscape', { auto: 'cover', always: 'cover', never: 'none' }],
  ['of another size', { auto: 'cover', always: 'cover', never: 'none' }],
  ['not measured', { auto: 'cover', always: 'cover', never: 'none' }],
];

describe('where a letter has its address', () => {
  const judge = (report: LetterReport | null, coverPages: CoverPageRule, problems: number[] = []) =>
    judgeLetter({
      report,
      filePageCounts: [1],
      scheme: 'window-left',
      coverPages,
      addressProblems: problems.map((recipientIndex) => ({ recipientIndex, problem: 'It is too long.' })),
    });

  test.each(expected)('a first page that is %s: by the rule of its organization', (name, placements) => {
    const report = letters[name] ?? null;
    expect(Object.fromEntries(coverPageRules.map((rule) => [rule, judge(report, rule).placement]))).toEqual(placements);
  });

  test('an address that cannot be printed matters only when it is printed', () => {
    const codes = (report: LetterReport | null, rule: CoverPageRule) =>
      judge(report, rule, [2]).findings.map(({ code }) => code);
    expect(codes(withPage({}), 'auto')).toEqual(['address_not_printable']);
    expect(codes(letters.inked ?? null, 'always')).toContain('address_not_printable');
    expect(codes(letters.inked ?? null, 'never')).not.toContain('address_not_printable');
  });

  test('an address that cannot be printed is found even when the pages were not measured', () => {
    expect(judge(null, 'auto', [0]).findings.map(({ code }) => code)).toEqual(['address_not_printable']);
  });

  test('registered letters have an envelope of their own, all others the one of the installation', () => {
    expect(schemeFor('registered', 'right')).toBe('registered');
    expect([schemeFor('standard', 'left'), schemeFor('prior', 'right')]).toEqual(['window-left', 'window-right']);
  });
});
