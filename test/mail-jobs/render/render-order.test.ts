// Level: ci
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { photoHeicPath, photoJpegPath, quarters } from '#test/support/documents/build-images.ts';
import { textPdf } from '#test/support/documents/build-pdf.ts';
import { readPages } from '#test/support/documents/read-pdf.ts';
import { heic, jpeg, pdf, png, useRendering } from '#test/support/documents/use-rendering.ts';
import { describe, expect, test, testWithPrograms } from '#test/support/jest.ts';

describe('the print file', () => {
  const render = useRendering();

  test('the pages of 20 files are printed in order', async () => {
    const files = Array.from({ length: 20 }, (_, file) =>
      Array.from({ length: 1 + ((file * 7) % 3) }, (_, page) => `file ${file} page ${page}`),
    );
    const uploads = await Promise.all(files.map(async (texts) => pdf(await textPdf(texts))));
    const { printFile, remainingFiles } = await render(uploads, { expectedPages: files.flat().length });
    const pages = await readPages(printFile?.path ?? '', { isDrawn: false });
    expect(pages.map((page) => page.text)).toEqual(files.flat());
    expect(printFile).toMatchObject({
      pageCount: files.flat().length,
      filePageCounts: files.map((texts) => texts.length),
    });
    expect(remainingFiles).toEqual(['print.pdf']);
  });

  test('PDFs and images keep their order', async () => {
    const image = await quarters({ width: 40, height: 60, format: 'png' });
    const uploads = [pdf(await textPdf(['first'])), png(image), pdf(await textPdf(['second', 'third'])), png(image)];
    const { printFile } = await render(uploads, { expectedPages: 5 });
    const pages = await readPages(printFile?.path ?? '', { isDrawn: false });
    expect(pages.map((page) => page.text)).toEqual(['first', '', 'second', 'third', '']);
  });

  test('rendering the same files twice gives the same bytes and their hash', async () => {
    const uploads = [
      pdf(await textPdf(['same'])),
      jpeg(readFileSync(photoJpegPath)),
      heic(readFileSync(photoHeicPath)),
    ];
    const [one, two] = [await render(uploads), await render(uploads)];
    expect(one.printFile?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(one.printFile?.sha256).toBe(two.printFile?.sha256);
    const { createHash } = await import('node:crypto');
    const bytes = readFileSync(one.printFile?.path ?? '');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(one.printFile?.sha256);
    expect(bytes.length).toBe(one.printFile?.sizeBytes);
  });

  test('an upload listed twice is printed twice', async () => {
    const upload = pdf(await textPdf(['a', 'b']));
    const { printFile } = await render([upload, upload], { expectedPages: 4 });
    const pages = await readPages(printFile?.path ?? '', { isDrawn: false });
    expect(pages.map((page) => page.text)).toEqual(['a', 'b', 'a', 'b']);
  });

  testWithPrograms('qpdf')('qpdf finds no errors in a print file of all file types', async () => {
    const uploads = [
      pdf(await textPdf(['text'])),
      jpeg(readFileSync(photoJpegPath)),
      heic(readFileSync(photoHeicPath)),
      png(await quarters({ width: 40, height: 60, format: 'png' })),
    ];
    const { printFile } = await render(uploads);
    const words = execFileSync('qpdf', ['--check', printFile?.path ?? ''], { encoding: 'utf8' });
    expect(words).toContain('No syntax or stream encoding errors found');
  });
});

describe('the number of pages', () => {
  const render = useRendering();

  test('a page count above the paid one fails with both numbers and the count of each file', async () => {
    const uploads = [pdf(await textPdf(['a', 'b'])), jpeg(readFileSync(photoJpegPath))];
    const { printFile, error, remainingFiles } = await render(uploads, { expectedPages: 2 });
    expect(printFile).toBeNull();
    expect(error).toMatchObject({ code: 'PAGE_COUNT_MISMATCH', filePageCounts: [2, 1] });
    expect(error?.message).toBe('The mail job says 2 pages, its files have 3 (2 + 1). Send it again with pages: 3.');
    expect(remainingFiles).toEqual([]);
  });

  test('a page count below the paid one fails too', async () => {
    const { error } = await render([pdf(await textPdf(['a']))], { expectedPages: 2 });
    expect(error).toMatchObject({ code: 'PAGE_COUNT_MISMATCH', filePageCounts: [1] });
  });
});
