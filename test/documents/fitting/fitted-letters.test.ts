// Level: unit
import { openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import { findFindings } from '#common/documents/preflight/find-findings.ts';
import { letterFacts } from '#common/documents/preflight/letter-facts.ts';
import { envelopeSchemes, sheetMarkBox } from '#common/documents/sheet/envelope-schemes.ts';
import { itemId, recipient, sender } from '#test/support/documents/addressing/build-print-file.ts';
import { countChanges } from '#test/support/documents/addressing/compare-pages.ts';
import { readSheetMark } from '#test/support/documents/addressing/read-sheet-mark.ts';
import { drawGrey } from '#test/support/documents/draw-grey.ts';
import { drawing, fill, type GoldenPage, pagesPdf } from '#test/support/documents/golden/build-golden.ts';
import { letterPage, patternedPage, patterns, stamp, stampLook } from '#test/support/documents/golden/fitted-golden.ts';
import { rebuildHere } from '#test/support/documents/golden/rebuild-here.ts';
import { readPages } from '#test/support/documents/read-pdf.ts';
import { pdf, useRendering, useWarmPool } from '#test/support/documents/use-rendering.ts';
import { test as anyTest, describe, expect, testWithPrograms } from '#test/support/jest.ts';

describe('a letter with fitted pages', () => {
  const render = useRendering();
  const warmPool = useWarmPool();
  const test = testWithPrograms('pdftoppm');
  const pages = [
    letterPage,
    { box: '[0 0 842 595]', content: drawing(842, 595) },
    { box: '[0 0 14401 100]', content: 'q Q' },
  ];
  const bytes = pagesPdf([...pages, { ...patternedPage, entries: '/Annots [20 0 R]' }], {
    objects: { ...patterns, 20: stamp('300 900 450 1100'), 50: stampLook },
  });

  anyTest('is the same from a warm process and one of its own, and says what was changed', async () => {
    const { result } = await warmPool.run({ operation: 'rebuildPdf', bytes }, 'a', new AbortController().signal);
    expect(result?.bytes.equals(await rebuildHere(bytes, 4))).toBe(true);
    const [warm, alone] = await Promise.all([
      render([pdf(bytes)], { expectedPages: 4 }),
      render([pdf(bytes)], { expectedPages: 4, warmPool: null }),
    ]);
    expect(warm.printFile?.sha256).toBe(alone.printFile?.sha256);
    const report = warm.printFile?.report;
    expect(report).toEqual(alone.printFile?.report);
    const found = findFindings(report!, {
      facts: letterFacts(4),
      scheme: 'window-left',
      color: true,
      placement: 'cover',
      coverPageReason: null,
      hasAlwaysCoverPage: true,
      filePageCounts: [4],
      addressProblems: [],
    });
    const sizes = found.filter(({ code }) => /^page_(scaled|turned|not_a4)$/.test(code));
    expect(sizes.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', 'Page 1 is US Letter (216 x 279 mm), not A4 (210 x 297 mm). It is printed at 97 % on A4.'],
      ['info', 'Page 2 is A4 in landscape. It is printed turned by 90 degrees, its top at the left.'],
      ['warning', 'Page 3 is 5080 x 35 mm and cannot be fitted to A4 (210 x 297 mm). It may be cut off on paper.'],
      ['warning', 'Page 4 is US Legal (216 x 356 mm), not A4 (210 x 297 mm). It is printed at 84 % on A4.'],
    ]);
  });

  anyTest('is scaled also when its content restores more states than it saves', async () => {
    const content = `Q Q ${fill(0, 0, 612, 792, '1 0 0 rg')} Q ${fill(0, 0, 306, 792, '0 0 1 rg')}`;
    const { printFile } = await render([pdf(pagesPdf([{ ...letterPage, content }]))]);
    const [page] = await readPages(printFile!.path);
    const colours = [0.02, 0.06, 0.94, 0.98].flatMap((y) => [0.25, 0.75].map((x) => page!.colourAt(x, y)));
    const row = ['#0000ff', '#ff0000'];
    expect(colours).toEqual(['#ffffff', '#ffffff', ...row, ...row, '#ffffff', '#ffffff']);
  });

  test.each([
    ['scaled', { box: '[0 0 612 792]', content: fill(100, 100, 300, 200, '0.5 g') }],
    ['turned and scaled', { box: '[0 0 792 612]', content: fill(100, 100, 50, 50, '0.5 g') }],
    ['in landscape', { box: '[0 0 842 595]', content: fill(100, 100, 50, 50, '0.5 g') }],
    ['rotated', { box: '[0 0 612 792]', content: fill(100, 100, 50, 50, '0.5 g'), entries: '/Rotate 180' }],
  ])('has its address and its mark in place on a page that is %s', async (_name, page: GoldenPage) => {
    const dotsPerInch = 144;
    const print = await rebuildHere(pagesPdf([page]));
    const scheme = envelopeSchemes['window-left'];
    const maker = await openCopyMaker({ bytes: print }, { scheme, placement: 'page', sender });
    const copy = Buffer.concat([print, maker.make({ itemId, address: recipient }).tail]);
    const [[before], [after]] = await Promise.all([drawGrey(print, dotsPerInch), drawGrey(copy, dotsPerInch)]);
    const boxes = [scheme.sender, scheme.address, sheetMarkBox];
    const { inBoxes, outside } = countChanges(before!, after!, boxes, dotsPerInch);
    expect(outside).toBe(0);
    expect(Math.min(...inBoxes)).toBeGreaterThan(200);
    const [fine] = await drawGrey(copy, 300);
    expect(await readSheetMark(fine!, 300)).toContain(itemId.toUpperCase());
  });

  anyTest('2,000 fitted pages are rebuilt with the same content in front once', async () => {
    const many = pagesPdf(Array.from({ length: 2_000 }, () => letterPage));
    const print = (await rebuildHere(many, 2_000)).toString('latin1');
    expect(print.split('re W n')).toHaveLength(2);
    expect(print.split('/BJ_Fitted ')).toHaveLength(2_001);
  });
});
