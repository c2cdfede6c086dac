// Level: ci
import { mergePdfs } from '#common/documents/pdf/merge-pdfs.ts';
import { createMemorySink } from '#common/documents/pdf/pdf-sink.ts';
import { differingShare, drawGrey } from '#test/support/documents/draw-grey.ts';
import { fill, type GoldenPage, pagesPdf } from '#test/support/documents/golden/build-golden.ts';
import { drawUnfitted } from '#test/support/documents/golden/draw-unfitted.ts';
import { fittedGolden } from '#test/support/documents/golden/fitted-golden.ts';
import { rebuildHere } from '#test/support/documents/golden/rebuild-here.ts';
import { test as anyTest, describe, expect, testWithPrograms } from '#test/support/jest.ts';

const notesIn = (print: Buffer) =>
  [...print.toString('latin1').matchAll(/\/BJ_Fitted \[(.*?)\]/g)].map(([, note]) => note);

describe('a page that is fitted to A4 looks as before', () => {
  const test = testWithPrograms('pdftoppm');

  test.each([...fittedGolden])('$name', async ({ page, note, objects = {}, unit = 1 }) => {
    const bytes = pagesPdf([page], { objects });
    const print = await rebuildHere(bytes);
    expect(notesIn(print)).toEqual([note]);
    const [[before], [after]] = await Promise.all([drawGrey(bytes), drawUnfitted(print, [unit])]);
    expect([after!.page.width, after!.page.height]).toEqual([before!.width, before!.height]);
    expect(differingShare(after!.page, before!, 32)).toBeLessThan(0.005);
    expect(after!.isBlankAround).toBe(true);
    // Merging does not change it again.
    const sink = createMemorySink(Buffer.alloc(4 * 1024 * 1024));
    await mergePdfs([print, print], (part) => part, sink);
    const [sheet] = await drawGrey(print);
    expect(await drawGrey(sink.written())).toEqual([sheet, sheet]);
    expect(notesIn(Buffer.from(sink.written()))).toEqual([note, note]);
  });

  test('the top of a turned page is at the left of the sheet', async () => {
    const content = fill(0, 500, 842, 95);
    const [sheet] = await drawGrey(await rebuildHere(pagesPdf([{ box: '[0 0 842 595]', content }])));
    const isBlack = (x: number, y: number) =>
      sheet!.pixels[Math.floor(y * sheet!.height) * sheet!.width + Math.floor(x * sheet!.width)] === 0;
    expect(sheet!.height).toBeGreaterThan(sheet!.width);
    expect([isBlack(0.1, 0.02), isBlack(0.1, 0.98), isBlack(0.9, 0.02), isBlack(0.5, 0.5)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('an A4 part of a larger page', () => {
  anyTest.each([
    ['/CropBox [100 80 695 922]', '[0 0 800 1000]', '[0 0 595 842]'],
    ['/CropBox [0 0 0 0]', '[0 0 595 842]', '[0 0 595 842]'],
  ])('with %s becomes a page of its own, without a CropBox', async (entries, box, expected) => {
    const print = (await rebuildHere(pagesPdf([{ content: 'q Q', box, entries }]))).toString('latin1');
    expect(print).toContain(`/MediaBox ${expected}`);
    expect(print).not.toContain('/CropBox');
    expect(print).not.toContain('/BJ_Fitted');
  });
});

describe('what is not fitted', () => {
  anyTest.each([
    ['A4', { box: '[0 0 595 842]' }],
    ['A4, rotated', { box: '[0 0 842 595]', entries: '/Rotate 90' }],
    ['a page without area', { box: '[0 0 0 842]' }],
    ['a CropBox beside the page', { box: '[0 0 400 400]', entries: '/CropBox [500 500 700 700]' }],
    ['a page of more than 14,400 units', { box: '[0 0 14401 100]' }],
    ['a page of more than 5 m', { box: '[0 0 200 200]', entries: '/UserUnit 75' }],
    ['a page rotated by 45 degrees', { box: '[0 0 200 200]', entries: '/Rotate 45' }],
  ])('%s keeps its boxes and content', async (_name, page: GoldenPage) => {
    const print = (await rebuildHere(pagesPdf([{ content: 'q Q', ...page }]))).toString('latin1');
    expect(print).toContain(`/MediaBox ${page.box}`);
    for (const entry of page.entries?.match(/\/\w+ (\[.*?\]|\d+)/g) ?? []) expect(print).toContain(entry);
    expect(print).not.toMatch(/BJ_Fitted|re W n/);
  });

  anyTest('a note in the file of a customer is not copied', async () => {
    const box = '[0 0 595 842]';
    const print = await rebuildHere(pagesPdf([{ box, content: 'q Q', entries: '/BJ_Fitted [1 2 270 50]' }]));
    expect(notesIn(print)).toEqual([]);
  });
});
