// Level: ci
import { findFindings } from '#common/documents/preflight/find-findings.ts';
import type { Finding } from '#common/documents/preflight/finding.ts';
import { letterFacts } from '#common/documents/preflight/letter-facts.ts';
import type { BoxMm } from '#common/documents/sheet/a4.ts';
import { goldenCorpus } from '#test/support/documents/golden/golden-corpus.ts';
import type { ExpectedFinding, PreflightCase } from '#test/support/documents/preflight/page-in-mm.ts';
import { preflightContent } from '#test/support/documents/preflight/preflight-content.ts';
import { preflightPages } from '#test/support/documents/preflight/preflight-pages.ts';
import { useMeasuring } from '#test/support/documents/preflight/use-measuring.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const mostErrorMm = 0.5;
const corpus: readonly PreflightCase[] = [...preflightPages, ...preflightContent];

function expectFindings(actual: readonly Finding[], expected: readonly ExpectedFinding[]): void {
  const inOrder = (list: readonly { code: string; page: number | null; box: BoxMm | null }[]) =>
    list.toSorted(
      (one, other) =>
        (one.page ?? 1e9) - (other.page ?? 1e9) || (one.code < other.code ? -1 : one.code > other.code ? 1 : 0),
    );
  const found = inOrder(actual.map(({ code, page, boxMm }) => ({ code, page, box: boxMm })));
  const wanted = inOrder(expected.map(({ code, page, box }) => ({ code, page, box })));
  const names = (list: typeof found) => list.map(({ code, page }) => `${code} on ${page}`);
  expect(names(found)).toEqual(names(wanted));
  for (const [i, { box }] of wanted.entries()) {
    const sides = sidesOf(found[i]?.box);
    for (const [side, at] of sidesOf(box).entries())
      expect(Math.abs((sides[side] ?? Number.NaN) - at)).toBeLessThan(mostErrorMm);
    expect(sides).toHaveLength(sidesOf(box).length);
  }
}

function sidesOf(box: BoxMm | null | undefined): number[] {
  return box ? [box.x, box.y, box.x + box.width, box.y + box.height] : [];
}

describe('preflight finds exactly what is wrong with a letter', () => {
  const { renderAndMeasure } = useMeasuring();

  test.each([...corpus])('$name', async ({ bytes, pages, findings }) => {
    const { warm, alone } = await renderAndMeasure(bytes, pages);
    expect(warm).toEqual(alone);
    if (!warm) throw new Error('The letter was not measured.');
    const letter = {
      facts: letterFacts(pages),
      scheme: 'window-left',
      color: true,
      placement: 'cover',
      coverPageReason: null,
      hasAlwaysCoverPage: false,
      filePageCounts: [pages],
      addressProblems: [],
    } as const;
    expectFindings(findFindings(warm, letter), findings);
  });

  test.each([...goldenCorpus])(
    'a warm process measures $name as a process of its own does',
    async ({ bytes, pages }) => {
      const { warm, alone } = await renderAndMeasure(bytes, pages);
      expect(warm?.pages).toHaveLength(pages);
      expect(warm).toEqual(alone);
    },
  );
});
