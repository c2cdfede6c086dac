// Level: ci
import { startPdfium } from '#common/documents/pdfium/raw-pdfium.ts';
import { measurePages } from '#common/documents/preflight/measure-pages.ts';
import { letterReport, type PageReport } from '#common/documents/preflight/page-report.ts';
import { pagesPdf } from '#test/support/documents/golden/build-golden.ts';
import { faultlessPage } from '#test/support/documents/preflight/faultless-page.ts';
import { hostilePages } from '#test/support/documents/preflight/hostile-pages.ts';
import { a4Page, middle } from '#test/support/documents/preflight/page-in-mm.ts';
import { useMeasuring } from '#test/support/documents/preflight/use-measuring.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const pages = (count: number) => pagesPdf(Array.from({ length: count }, () => a4Page(middle)));

describe('measuring hostile pages', () => {
  const { measureWarm, measureAlone } = useMeasuring();

  test.each([...hostilePages])(
    '$name ends within the limits, with a valid report or none',
    async ({ bytes, gives }) => {
      const warm = await measureWarm(bytes, 1);
      const alone = await measureAlone(bytes, 1);
      expect(warm).toEqual(alone);
      if (gives === 'none') expect(alone).toBeNull();
      else expect(alone?.pages).toMatchObject([{ isIncomplete: gives === 'part' }]);
    },
  );

  test('a hostile page leaves nothing that changes the report of the next letter', async () => {
    const before = await measureWarm(pages(2), 2);
    for (const { bytes } of hostilePages.slice(3)) await measureWarm(bytes, 1);
    expect(await measureWarm(pages(2), 2)).toEqual(before);
  });

  test('bytes that are no PDF, and another number of pages than was paid for, give no report', async () => {
    expect(await measureWarm(Buffer.from('%PDF-1.7 nothing'), 1)).toBeNull();
    expect(await measureWarm(pages(2), 3)).toBeNull();
  });
});

describe('measuring usual pages', () => {
  const { measureWarm, measureStored, measureAlone, warmCount } = useMeasuring();

  test('a warm process measures a small letter, and nothing else does', async () => {
    const report = await measureWarm(pages(25), 25);
    expect(report?.pages).toHaveLength(25);
    expect(await warmCount()).toBe(1);
    expect(await measureAlone(pages(25), 25)).toEqual(report);
    expect(await warmCount()).toBe(1);
    expect(await measureStored(pages(25), 25)).toEqual(report);
    expect(await warmCount()).toBe(2);
  });

  test('a page is coloured when it shows more than black, white and grey', async () => {
    const contents = [
      middle,
      '1 0 0 RG 0.3 w 100 400 m 400 420 l S',
      '0 0 0 1 k 100 400 9 9 re f',
      '0.9 g 0 0 500 500 re f',
    ];
    const bytes = pagesPdf(contents.map((content) => a4Page(content)));
    const { pages: measured } = measurePages(await startPdfium(), bytes);
    expect(measured.map(({ isColoured }) => isColoured)).toEqual([false, true, false, false]);
  });

  test('2,000 pages are measured', async () => {
    const report = await measureWarm(pages(2_000), 2_000);
    expect(report?.pages).toHaveLength(2_000);
    expect(report?.pages[1_999]).toEqual(report?.pages[1]);
  });

  test('PDFium’s memory grows with the file, not with the pages that were measured', async () => {
    const busy = a4Page(`${middle} `.repeat(200));
    const needed = async (count: number) => {
      const pdfium = await startPdfium();
      const bytes = pagesPdf(Array.from({ length: count }, () => busy));
      const emptyBytes = pdfium.HEAPU8.length;
      measurePages(pdfium, bytes);
      return { grownBytes: pdfium.HEAPU8.length - emptyBytes, fileBytes: bytes.length };
    };
    const [few, many] = [await needed(20), await needed(1_000)];
    // Pages that are not closed take another 80 MB.
    expect(many.grownBytes - few.grownBytes).toBeLessThan(2 * many.fileBytes);
  });
});

describe('the report of a process that opened untrusted bytes', () => {
  const page: PageReport = {
    ...faultlessPage,
    mark: { x: 5, y: 270, width: 9, height: 9 },
    fonts: ['Helvetica'],
    images: [],
    isIncomplete: false,
  };
  const box = { x: 0, y: 0, width: 1, height: 1 };
  const isValid = (changed: object) => letterReport.safeParse({ pages: [{ ...page, ...changed }] }).success;

  test('a report of a usual page is valid', () => {
    expect(isValid({})).toBe(true);
  });

  test.each([
    ['a size that is no number', { widthMm: null }],
    ['a size beyond 100 m', { heightMm: 100_001 }],
    ['a rotation of 45 degrees', { rotation: 45 }],
    ['more boxes than are reported', { outside: Array.from({ length: 13 }, () => box) }],
    ['a box of negative width', { mark: { ...box, width: -1 } }],
    ['a window that does not exist', { windows: { ...page.windows, other: box } }],
    ['a window that is missing', { windows: { registered: null } }],
    ['a long name of a font', { fonts: ['x'.repeat(81)] }],
    ['a field of its own', { html: '<b>' }],
  ])('%s is refused', (_name, changed) => {
    expect(isValid(changed)).toBe(false);
  });
});
