// Level: unit
import type { LetterReport, PageReport } from '#common/documents/preflight/page-report.ts';
import type { Placement } from '#common/documents/sheet/envelope-schemes.ts';
import { judgeLetter } from '#common/mail-jobs/render/judge-letter.ts';
import { schemeFor } from '#common/mail-jobs/rules/scheme-for.ts';
import { type CoverPageRule, coverPageRules } from '#common/organizations/organization.model.ts';
import { faultlessPage } from '#test/support/documents/preflight/faultless-page.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const ink = { x: 30, y: 50, width: 10, height: 5 };
const withPage = (page: Partial<PageReport>): LetterReport => ({ pages: [{ ...faultlessPage, ...page }] });
const letters: Record<string, LetterReport | null> = {
  blank: withPage({}),
  inked: withPage({ windows: { ...faultlessPage.windows, 'window-left': ink } }),
  'inked on the right': withPage({ windows: { ...faultlessPage.windows, 'window-right': ink } }),
  'in landscape': withPage({ widthMm: 297, heightMm: 210 }),
  'of another size': withPage({ widthMm: 216, heightMm: 279 }),
  'not measured': null,
};
const expected: [string, Record<CoverPageRule, Placement>][] = [
  ['blank', { auto: 'page', always: 'cover', never: 'page' }],
  ['inked', { auto: 'cover', always: 'cover', never: 'none' }],
  ['inked on the right', { auto: 'page', always: 'cover', never: 'page' }],
  ['in landscape', { auto: 'cover', always: 'cover', never: 'cover' }],
  ['of another size', { auto: 'cover', always: 'cover', never: 'cover' }],
  ['not measured', { auto: 'cover', always: 'cover', never: 'cover' }],
];

describe('where a letter has its address', () => {
  type Rest = { problems?: number[]; isSmall?: boolean; recipientCount?: number };
  const judge = (report: LetterReport | null, coverPages: CoverPageRule, rest: Rest = {}) => {
    const { problems = [], isSmall = false, recipientCount = 1 } = rest;
    const problem = { field: 'name', problem: 'It is too long.', isSmall } as const;
    return judgeLetter({
      ...{ report, recipientCount },
      filePageCounts: [1],
      scheme: 'window-left',
      color: false,
      coverPages,
      addressProblems: problems.map((recipientIndex) => ({ recipientIndex, ...problem })),
    });
  };
  const codesOf = (...parameters: Parameters<typeof judge>) => judge(...parameters).findings.map(({ code }) => code);

  test.each(expected)('a first page that is %s: by the rule of its organization', (name, placements) => {
    const report = letters[name] ?? null;
    expect(Object.fromEntries(coverPageRules.map((rule) => [rule, judge(report, rule).placement]))).toEqual(placements);
  });

  test('every cover page that the rule does not ask for has a finding that says why', () => {
    expect(codesOf(letters.inked ?? null, 'auto')).toEqual(['cover_page_added']);
    for (const name of ['in landscape', 'of another size', 'not measured']) {
      for (const rule of ['auto', 'never'] as const) {
        expect([name, codesOf(letters[name] ?? null, rule)]).toEqual([
          name,
          expect.arrayContaining(['cover_page_needed']),
        ]);
      }
    }
    expect(codesOf(letters.inked ?? null, 'never')).toEqual(['window_not_blank']);
    expect(codesOf(letters.inked ?? null, 'always')).toEqual([]);
  });

  test('the document’s own address is never used for several recipients', () => {
    const { placement, findings } = judge(letters.inked ?? null, 'never', { recipientCount: 2 });
    expect([placement, findings.map(({ code }) => code)]).toEqual(['cover', ['cover_page_needed']]);
  });

  test('pages that were not measured are named', () => {
    expect(codesOf(null, 'always')).toEqual(['not_measured']);
  });

  test('an address that cannot be printed matters only when it is printed', () => {
    const problems = [2];
    expect(codesOf(withPage({}), 'auto', { problems })).toEqual(['address_not_printable']);
    expect(codesOf(letters.inked ?? null, 'always', { problems })).toContain('address_not_printable');
    expect(codesOf(letters.inked ?? null, 'never', { problems })).not.toContain('address_not_printable');
    expect(codesOf(null, 'auto', { problems })).toContain('address_not_printable');
    expect(judge(withPage({}), 'auto', { problems, isSmall: true }).findings).toMatchObject([
      { code: 'address_small', severity: 'warning', message: expect.stringContaining('recipient 3 is printed small') },
    ]);
    expect(codesOf(letters.inked ?? null, 'never', { problems, isSmall: true })).not.toContain('address_small');
  });

  test('registered letters have an envelope of their own, all others the one of the installation', () => {
    expect(schemeFor('registered', 'right')).toBe('registered');
    expect([schemeFor('standard', 'left'), schemeFor('prior', 'right')]).toEqual(['window-left', 'window-right']);
  });
});
