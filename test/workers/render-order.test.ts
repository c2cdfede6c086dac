import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { photoHeicPath, photoJpegPath, quarters } from '../support/documents/build-images.ts';
import { textPdf } from '../support/documents/build-pdf.ts';
import { readPages } from '../support/documents/read-pdf.ts';
import { heic, jpeg, pdf, png, useRendering } from '../support/documents/use-rendering.ts';

const qpdfPath = ['/usr/bin/qpdf', '/opt/homebrew/bin/qpdf'].find(existsSync);

describe('the print file', () => {
  const render = useRendering();

  test('given 20 files of one to three pages, when rendered, then each page stands where the order says', async () => {
    const files = Array.from({ length: 20 }, (_, file) =>
      Array.from({ length: 1 + ((file * 7) % 3) }, (_, page) => `file ${file} page ${page}`),
    );
    const uploads = await Promise.all(files.map(async (texts) => pdf(await textPdf(texts))));
    const { printFile, leftOver } = await render(uploads, { expectedPages: files.flat().length });
    const pages = await readPages(printFile?.path ?? '', { isDrawn: false });
    expect(pages.map((page) => page.text)).toEqual(files.flat());
    expect(printFile).toMatchObject({
      pageCount: files.flat().length,
      filePageCounts: files.map((texts) => texts.length),
    });
    expect(leftOver).toEqual(['print.pdf']);
  }, 60_000);

  test('given PDFs between images, when rendered, then pages and images alternate', async () => {
    const image = await quarters({ width: 40, height: 60, format: 'png' });
    const uploads = [pdf(await textPdf(['first'])), png(image), pdf(await textPdf(['second', 'third'])), png(image)];
    const { printFile } = await render(uploads, { expectedPages: 5 });
    const pages = await readPages(printFile?.path ?? '', { isDrawn: false });
    expect(pages.map((page) => page.text)).toEqual(['first', '', 'second', 'third', '']);
  });

  test('given the same files twice, when rendered, then the bytes are the same and the hash is theirs', async () => {
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

  test('given one upload named twice, when rendered, then its pages are printed twice', async () => {
    const upload = pdf(await textPdf(['a', 'b']));
    const { printFile } = await render([upload, upload], { expectedPages: 4 });
    const pages = await readPages(printFile?.path ?? '', { isDrawn: false });
    expect(pages.map((page) => page.text)).toEqual(['a', 'b', 'a', 'b']);
  });

  const title = 'given every kind of file, when rendered, then qpdf finds nothing wrong';
  (qpdfPath ? test : test.skip)(`${title}${qpdfPath ? '' : ' (skipped: qpdf is not installed)'}`, async () => {
    const uploads = [
      pdf(await textPdf(['text'])),
      jpeg(readFileSync(photoJpegPath)),
      heic(readFileSync(photoHeicPath)),
      png(await quarters({ width: 40, height: 60, format: 'png' })),
    ];
    const { printFile } = await render(uploads);
    const words = execFileSync(qpdfPath ?? '', ['--check', printFile?.path ?? ''], { encoding: 'utf8' });
    expect(words).toContain('No syntax or stream encoding errors found');
  });
});

describe('the number of pages', () => {
  const render = useRendering();

  test('given another number than was paid for, when rendered, then it fails and names both and each file', async () => {
    const uploads = [pdf(await textPdf(['a', 'b'])), jpeg(readFileSync(photoJpegPath))];
    const { printFile, error, leftOver } = await render(uploads, { expectedPages: 2 });
    expect(printFile).toBeNull();
    expect(error).toMatchObject({ code: 'PAGE_COUNT_MISMATCH', filePageCounts: [2, 1] });
    expect(error?.message).toBe('The mail job says 2 pages, its files have 3 (2 + 1). Send it again with pages: 3.');
    expect(leftOver).toEqual([]);
  });

  test('given one page too few, when rendered, then it fails as well', async () => {
    const { error } = await render([pdf(await textPdf(['a']))], { expectedPages: 2 });
    expect(error).toMatchObject({ code: 'PAGE_COUNT_MISMATCH', filePageCounts: [1] });
  });
});
