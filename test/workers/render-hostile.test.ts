import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { DocumentErrorCode } from '../../common/documents/document-error.ts';
import { heicOfSize, photoHeicPath, photoJpegPath, pngOfSize, quarters } from '../support/documents/build-images.ts';
import { lockedPdf, onePage, rawPdf, textPdf } from '../support/documents/build-pdf.ts';
import {
  circularOutline,
  crossReferenceLoop,
  inflateBomb,
  lzwBomb,
  millionNodes,
  millionPages,
  objectStreamBomb,
  pdfAndZip,
  recursivePageTree,
} from '../support/documents/hostile-pdfs.ts';
import { heic, jpeg, pdf, png, type Upload, useRendering } from '../support/documents/use-rendering.ts';

const mostMs = 35_000;
const mostGrowthBytes = 100 * 1024 * 1024;
const photo = readFileSync(photoJpegPath);
const html = Buffer.from('<!doctype html><h1>Dear reader</h1>');

async function cutPdf(): Promise<Buffer> {
  const whole = Buffer.from(await textPdf(['one', 'two', 'three']));
  return whole.subarray(0, Math.floor(whole.length * 0.4));
}

/** A page whose content was never written: it would come out blank. */
const blankPage = () => rawPdf({ objects: { ...onePage(), 4: 'null' } });
const lyingCount = () => rawPdf({ objects: { ...onePage(), 2: '<< /Type /Pages /Count 3 /Kids [3 0 R] >>' } });

type Make = () => Upload | Promise<Upload>;
type Row = [title: string, code: DocumentErrorCode, words: string, make: Make];

const rows: Row[] = [
  ['an HTML file named PDF', 'FILE_TYPE_MISMATCH', 'not what its mimeType says', () => pdf(html)],
  ['a PDF that is a ZIP as well', 'FILE_TYPE_MISMATCH', 'at the same time', () => pdf(pdfAndZip())],
  ['a PNG declared as PDF', 'FILE_TYPE_MISMATCH', 'not what', async () => pdf(await pngOfSize(8, 8))],
  [
    'a PDF with a password',
    'FILE_UNREADABLE',
    'protected',
    async () => pdf(await lockedPdf({ userPassword: 'a', ownerPassword: 'b' })),
  ],
  [
    'a PDF with restrictions only',
    'FILE_UNREADABLE',
    'protected',
    async () => pdf(await lockedPdf({ ownerPassword: 'b' })),
  ],
  ['a PDF cut off', 'FILE_UNREADABLE', 'damaged', async () => pdf(await cutPdf())],
  ['a PDF header and noise', 'FILE_UNREADABLE', 'damaged', () => pdf(Buffer.from(`%PDF-1.7\n${'x'.repeat(9999)}`))],
  ['a PDF whose content is missing', 'FILE_UNREADABLE', 'damaged', () => pdf(blankPage())],
  ['a PDF that announces more pages than it has', 'FILE_UNREADABLE', 'damaged', () => pdf(lyingCount())],
  ['a page tree that contains itself', 'FILE_UNREADABLE', 'contains itself', () => pdf(recursivePageTree(1))],
  ['one that also announces no count', 'FILE_UNREADABLE', 'contains itself', () => pdf(recursivePageTree(0))],
  ['a million pages', 'PAGE_COUNT_MISMATCH', '2,000 pages', () => pdf(millionPages(1_000_000))],
  ['a million pages announced as one', 'PAGE_COUNT_MISMATCH', '2,000 pages', () => pdf(millionPages(1))],
  ['a million nodes and no page', 'FILE_UNREADABLE', 'contains itself', () => pdf(millionNodes())],
  ['1 MB that unpacks to 1 GB', 'FILE_UNREADABLE', '500 MB', () => pdf(inflateBomb(1024, false))],
  ['24 kB that unpack to 10 GB', 'FILE_UNREADABLE', '500 MB', () => pdf(inflateBomb(10_240, true))],
  ['the same by LZW', 'FILE_UNREADABLE', '500 MB', () => pdf(lzwBomb(600))],
  ['a JPEG cut off', 'FILE_UNREADABLE', 'incomplete image', () => jpeg(photo.subarray(0, photo.length / 2))],
  ['a JPEG without its last bytes', 'FILE_UNREADABLE', 'incomplete image', () => jpeg(photo.subarray(0, -2))],
  [
    'a JPEG cut off and closed again',
    'FILE_UNREADABLE',
    'incomplete image',
    () => jpeg(Buffer.concat([photo.subarray(0, photo.length / 2), Buffer.from([0xff, 0xd9])])),
  ],
  [
    'a PNG cut off',
    'FILE_UNREADABLE',
    'incomplete image',
    async () => {
      const whole = await quarters({ width: 400, height: 400, format: 'png' });
      return png(whole.subarray(0, whole.length - 200));
    },
  ],
  ['a PNG of 60,000 x 60,000', 'FILE_UNREADABLE', 'too many pixels', async () => png(await pngOfSize(60_000, 60_000))],
  ['a PNG of 16,385 x 1', 'FILE_UNREADABLE', 'too many pixels', async () => png(await pngOfSize(16_385, 1))],
  ['a PNG that promises 7,000 x 7,000', 'FILE_UNREADABLE', 'incomplete', async () => png(await pngOfSize(7000, 7000))],
  ['a HEIC of 60,000 x 60,000', 'FILE_UNREADABLE', 'too many pixels', () => heic(heicOfSize(60_000, 60_000))],
  ['a HEIC that promises 6,000 x 6,000', 'FILE_UNREADABLE', 'incomplete', () => heic(heicOfSize(6000, 6000))],
  ['a HEIC cut off', 'FILE_UNREADABLE', 'incomplete', () => heic(readFileSync(photoHeicPath).subarray(0, 20_000))],
];

describe('files that cannot be printed', () => {
  const render = useRendering();

  test.each(rows)('given %s, when rendered, then it fails with %s and says what to do', async (...row) => {
    const [, code, words, make] = row;
    const outcome = await render([await make()]);
    expect(outcome.printFile).toBeNull();
    expect(outcome.error).toMatchObject({ code, fileIndex: 0 });
    expect(outcome.error?.message).toMatch(/^File 1 .*\. [A-Z].*\.$/);
    expect(outcome.error?.message).toContain(words);
    expect(outcome.leftOver).toEqual([]);
    expect(outcome.tookMs).toBeLessThan(mostMs);
    expect(outcome.grownBytes).toBeLessThan(mostGrowthBytes);
  });
});

describe('one bad file among good ones', () => {
  const render = useRendering();

  test('given the second of three files is damaged, when rendered, then it is the one that is named', async () => {
    const good = jpeg(photo);
    const { error, leftOver } = await render([good, jpeg(photo.subarray(0, photo.length / 2)), good]);
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fileIndex: 1, filePageCounts: undefined });
    expect(error?.message).toMatch(/^File 2 is a damaged or incomplete image/);
    expect(leftOver).toEqual([]);
  });
});

describe('odd files that print all the same', () => {
  const render = useRendering();

  test.each([
    ['an outline that goes in circles', circularOutline],
    ['a cross-reference section that names itself as its forerunner', crossReferenceLoop],
    ['a bomb in a stream that no page needs', () => objectStreamBomb(1024)],
  ])('given %s, when rendered, then its page is printed', async (_title, make) => {
    const outcome = await render([pdf(make())]);
    expect(outcome.error).toBeNull();
    expect(outcome.printFile).toMatchObject({ pageCount: 1 });
    expect(outcome.tookMs).toBeLessThan(mostMs);
    expect(outcome.grownBytes).toBeLessThan(mostGrowthBytes);
  });
});
