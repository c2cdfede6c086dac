// Level: ci
import { readFileSync } from 'node:fs';
import { PDFDocument, PDFName, PDFNumber } from '@cantoo/pdf-lib';
import { differingShare, drawGrey, type GreyPage } from '../support/documents/draw-grey.ts';
import { drawUnfitted } from '../support/documents/golden/draw-unfitted.ts';
import { goldenCorpus } from '../support/documents/golden/golden-corpus.ts';
import { pdf, useRendering } from '../support/documents/use-rendering.ts';
import { describe, expect, testWithPrograms } from '../support/jest.ts';

const maxDifferingShare = 0.005;
/** Two levels of grey that look the same, of 255. */
const sameLevels = 32;
/** Most files of a mail job. */
const maxFiles = 20;

type Drawn = Awaited<ReturnType<typeof drawUnfitted>>;

function expectSameLook(actual: Drawn, expected: readonly GreyPage[]): void {
  const sizes = (pages: readonly GreyPage[]) => pages.map(({ width, height }) => ({ width, height }));
  expect(sizes(actual.map(({ page }) => page))).toEqual(sizes(expected));
  for (const [i, page] of expected.entries()) {
    expect(differingShare(actual[i]?.page ?? page, page, sameLevels)).toBeLessThan(maxDifferingShare);
    expect(actual[i]?.isBlankAround).toBe(true);
  }
}

/** Reads what poppler does not draw: the unit of a page, which it takes as 1/72 inch, and its transparency group. */
async function readUndrawn(bytes: Uint8Array): Promise<{ units: number[]; groups: string[] }> {
  const nodes = (await PDFDocument.load(bytes)).getPages().map(({ node }) => node);
  const unit = PDFName.of('UserUnit');
  return {
    units: nodes.map((node) => node.lookupMaybe(unit, PDFNumber)?.asNumber() ?? 1),
    groups: nodes.map((node) => String(node.lookup(PDFName.of('Group')))),
  };
}

describe('what is printed looks like what a reader shows', () => {
  const render = useRendering();
  const test = testWithPrograms('pdftoppm');

  test.each([...goldenCorpus])('prints $name as a reader shows it', async ({ bytes, pages, printsLike = bytes }) => {
    const { printFile, error } = await render([pdf(bytes)], { expectedPages: pages });
    expect(error).toBeNull();
    const printed = readFileSync(printFile?.path ?? '');

    const undrawn = await readUndrawn(printsLike);
    const [actual, expected] = await Promise.all([drawUnfitted(printed, undrawn.units), drawGrey(printsLike)]);
    expect(expected).toHaveLength(pages);
    // A file that shows nothing would pass whatever its print file loses.
    expect(expected[0]?.pixels.some((level) => level < 200)).toBe(true);
    expectSameLook(actual, expected);
    expect((await readUndrawn(printed)).groups).toEqual(undrawn.groups);
  });

  test('files that are merged look the same as each alone', async () => {
    for (let from = 0; from < goldenCorpus.length; from += maxFiles) {
      const files = goldenCorpus.slice(from, from + maxFiles);
      const expectedPages = files.reduce((sum, { pages }) => sum + pages, 0);
      const { printFile } = await render(
        files.map(({ bytes }) => pdf(bytes)),
        { expectedPages },
      );
      const undrawn = await Promise.all(files.map(({ bytes, printsLike = bytes }) => readUndrawn(printsLike)));
      const units = undrawn.flatMap((file) => file.units);
      const actual = await drawUnfitted(readFileSync(printFile?.path ?? ''), units);
      const expected = await Promise.all(files.map(({ bytes, printsLike = bytes }) => drawGrey(printsLike)));
      expectSameLook(actual, expected.flat());
    }
  });
});
