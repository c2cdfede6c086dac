import { readFileSync } from 'node:fs';
import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { differingShare, drawGrey, type GreyPage } from '../support/documents/draw-grey.ts';
import { goldenCorpus } from '../support/documents/golden/golden-corpus.ts';
import { pdf, useRendering } from '../support/documents/use-rendering.ts';
import { describe, expect, testWithPrograms } from '../support/jest.ts';

const maxDifferingShare = 0.005;
/** Two levels of grey that look the same, of 255. */
const sameLevels = 32;
/** Most files of a mail job. */
const maxFiles = 20;

function expectSameLook(actual: readonly GreyPage[], expected: readonly GreyPage[]): void {
  const sizes = (pages: readonly GreyPage[]) => pages.map(({ width, height }) => ({ width, height }));
  expect(sizes(actual)).toEqual(sizes(expected));
  for (const [i, page] of expected.entries()) {
    expect(differingShare(actual[i] ?? page, page, sameLevels)).toBeLessThan(maxDifferingShare);
  }
}

/** Reads what poppler does not draw: the unit of a page, which it takes as 1/72 inch, and its transparency group. */
async function readUndrawn(bytes: Uint8Array): Promise<string[][]> {
  const document = await PDFDocument.load(bytes);
  const keys = ['UserUnit', 'Group'].map((key) => PDFName.of(key));
  return document.getPages().map(({ node }) => keys.map((key) => String(node.lookup(key))));
}

describe('what is printed looks like what a reader shows', () => {
  const render = useRendering();
  const test = testWithPrograms('pdftoppm');

  test.each([...goldenCorpus])('prints $name as a reader shows it', async ({ bytes, pages, printsLike = bytes }) => {
    const { printFile, error } = await render([pdf(bytes)], { expectedPages: pages });
    expect(error).toBeNull();
    const printed = readFileSync(printFile?.path ?? '');

    const [actual, expected] = await Promise.all([drawGrey(printed), drawGrey(printsLike)]);
    expect(expected).toHaveLength(pages);
    // A file that shows nothing would pass whatever its print file loses.
    expect(expected[0]?.pixels.some((level) => level < 200)).toBe(true);
    expectSameLook(actual, expected);
    expect(await readUndrawn(printed)).toEqual(await readUndrawn(printsLike));
  });

  test('files that are merged look the same as each alone', async () => {
    for (let from = 0; from < goldenCorpus.length; from += maxFiles) {
      const files = goldenCorpus.slice(from, from + maxFiles);
      const expectedPages = files.reduce((sum, { pages }) => sum + pages, 0);
      const { printFile } = await render(
        files.map(({ bytes }) => pdf(bytes)),
        { expectedPages },
      );
      const actual = await drawGrey(readFileSync(printFile?.path ?? ''));
      const expected = await Promise.all(files.map(({ bytes, printsLike = bytes }) => drawGrey(printsLike)));
      expectSameLook(actual, expected.flat());
    }
  });
});
