// Level: ci
import { readFileSync } from 'node:fs';
import { limitsForFile, limitsForMerge } from '#common/documents/isolation/child-limits.ts';
import type { DocumentErrorCode } from '#common/documents/isolation/document-error.ts';
import { findingOfError } from '#common/mail-jobs/render/finding-of-error.ts';
import { heicOfSize, photoHeicPath, photoJpegPath, pngOfSize, quarters } from '../support/documents/build-images.ts';
import { lockedPdf, onePage, rawPdf, textPdf } from '../support/documents/build-pdf.ts';
import {
  bombBehindCrypt,
  circularOutline,
  crossReferenceBomb,
  crossReferenceLoop,
  inflateBomb,
  largeBetweenFilters,
  lzwBomb,
  millionNodes,
  millionPages,
  objectStreamBomb,
  pdfAndZip,
  predictedContent,
  predictorBetweenFilters,
  recursivePageTree,
} from '../support/documents/hostile-pdfs.ts';
import { heic, jpeg, pdf, png, type Upload, useRendering } from '../support/documents/use-rendering.ts';
import { describe, expect, test } from '../support/jest.ts';

const photo = readFileSync(photoJpegPath);
const half = photo.subarray(0, photo.length / 2);
const endOfImage = Buffer.from([0xff, 0xd9]);
const html = Buffer.from('<!doctype html><h1>Dear reader</h1>');

async function cutPdf(): Promise<Buffer> {
  const whole = Buffer.from(await textPdf(['one', 'two', 'three']));
  return whole.subarray(0, Math.floor(whole.length * 0.4));
}

/** A page without its content stream, which would print blank. */
const blankPage = () => rawPdf({ objects: { ...onePage(), 4: 'null' } });
const lyingCount = () => rawPdf({ objects: { ...onePage(), 2: '<< /Type /Pages /Count 3 /Kids [3 0 R] >>' } });

type Make = () => Upload | Promise<Upload>;
/** Fails with FILE_UNREADABLE if no other code is given. A file that reaches a limit of its process has other words. */
type Row = [title: string, words: string, make: Make, code?: DocumentErrorCode];

const rows: Row[] = [
  ['an HTML file named PDF', 'not what its mimeType says', () => pdf(html), 'FILE_TYPE_MISMATCH'],
  ['a PDF that is a ZIP as well', 'at the same time', () => pdf(pdfAndZip()), 'FILE_TYPE_MISMATCH'],
  ['a PNG declared as PDF', 'not what', async () => pdf(await pngOfSize(8, 8)), 'FILE_TYPE_MISMATCH'],
  ['a PDF with a password', 'protected', async () => pdf(await lockedPdf({ userPassword: 'a', ownerPassword: 'b' }))],
  [
    'a page turned by a billion degrees',
    'size or rotation',
    () => pdf(rawPdf({ objects: onePage({ page: '/Rotate 1000000000' }) })),
  ],
  ['a PDF that may not be printed', 'may not be printed', async () => pdf(await lockedPdf({ ownerPassword: 'b' }))],
  ['a truncated PDF', 'damaged', async () => pdf(await cutPdf())],
  ['a PDF header and noise', 'damaged', () => pdf(Buffer.from(`%PDF-1.7\n${'x'.repeat(9999)}`))],
  ['a PDF whose content is missing', 'damaged', () => pdf(blankPage())],
  ['a PDF that declares more pages than it has', 'damaged', () => pdf(lyingCount())],
  ['a page tree that contains itself', 'contains itself', () => pdf(recursivePageTree(1))],
  ['a page tree that contains itself and has a count of 0', 'contains itself', () => pdf(recursivePageTree(0))],
  ['a million pages', '2,000 pages', () => pdf(millionPages(1_000_000)), 'PAGE_COUNT_MISMATCH'],
  ['a million pages declared as one', '2,000 pages', () => pdf(millionPages(1)), 'PAGE_COUNT_MISMATCH'],
  ['a million nodes and no page', 'contains itself', () => pdf(millionNodes())],
  ['1 MB that decodes to 1 GB', '500 MB', () => pdf(inflateBomb(1024, false))],
  ['24 kB that decode to 10 GB', '500 MB', () => pdf(inflateBomb(10_240, true))],
  ['an object stream of 1 GB that no page uses', '500 MB', () => pdf(objectStreamBomb(1024))],
  ['a cross-reference stream of 1 GB', '500 MB', () => pdf(crossReferenceBomb(1024))],
  ['600 MB between two filters', '500 MB', () => pdf(largeBetweenFilters())],
  ['600 MB behind a predictor', '500 MB', () => pdf(predictedContent(600))],
  ['600 MB behind a filter that readers skip', '500 MB', () => pdf(bombBehindCrypt(600))],
  ['600 MB behind a predictor between two filters', 'simpler form', () => pdf(predictorBetweenFilters(600))],
  ['600 MB by LZW that widens its codes late', '500 MB', () => pdf(lzwBomb(600, 0))],
  ['600 MB by LZW', '500 MB', () => pdf(lzwBomb(600))],
  ['a truncated JPEG', 'incomplete image', () => jpeg(half)],
  ['a JPEG without its last bytes', 'incomplete image', () => jpeg(photo.subarray(0, -2))],
  ['a truncated JPEG with an end marker', 'incomplete image', () => jpeg(Buffer.concat([half, endOfImage]))],
  [
    'a truncated PNG',
    'incomplete image',
    async () => {
      const whole = await quarters({ width: 400, height: 400, format: 'png' });
      return png(whole.subarray(0, whole.length - 200));
    },
  ],
  ['a PNG of 60,000 x 60,000', 'too many pixels', async () => png(await pngOfSize(60_000, 60_000))],
  ['a PNG of 16,385 x 1', 'too many pixels', async () => png(await pngOfSize(16_385, 1))],
  ['a PNG that declares 7,000 x 7,000', 'incomplete', async () => png(await pngOfSize(7000, 7000))],
  ['a HEIC of 60,000 x 60,000', 'too many pixels', () => heic(heicOfSize(60_000, 60_000))],
  ['a HEIC that declares 6,000 x 6,000', 'incomplete', () => heic(heicOfSize(6000, 6000))],
  ['a truncated HEIC', 'incomplete', () => heic(readFileSync(photoHeicPath).subarray(0, 20_000))],
];

describe('files that cannot be printed', () => {
  const render = useRendering();

  test.each(rows)('%s fails with a message that says what to do', async (...row) => {
    const [, words, make, code = 'FILE_UNREADABLE'] = row;
    const outcome = await render([await make()]);
    expect(outcome.printFile).toBeNull();
    expect(outcome.error).toMatchObject({ code, fileIndex: 0 });
    expect(outcome.error?.message).toMatch(/^File 1 .*\. [A-Z].*\.$/);
    expect(outcome.error?.message).toContain(words);
    // What a check before sending says.
    const { message, fix } = findingOfError(outcome.error) ?? {};
    expect(`${message} ${fix}`).toBe(outcome.error?.message);
    expect(outcome.remainingFiles).toEqual([]);
  });
});

describe('one damaged file among valid ones', () => {
  const render = useRendering();

  test('the error names the damaged file, the second of three', async () => {
    const good = jpeg(photo);
    const { error, remainingFiles } = await render([good, jpeg(half), good]);
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fileIndex: 1, filePageCounts: undefined });
    expect(error?.message).toMatch(/^File 2 is a damaged or incomplete image/);
    expect(remainingFiles).toEqual([]);
  });
});

describe('a file whose number of pages is not known before', () => {
  const render = useRendering();

  test('has as much time as rendering allows for its pages, not for the most that a letter has', async () => {
    const file = (pages: number) => ({ ...limitsForFile(pages), cpuS: pages === 2 ? 0 : 60 });
    const options = { expectedPages: null, limitsFor: { file, merge: limitsForMerge } };
    expect((await render([jpeg(photo)], options)).error).toBeNull();
    const { error } = await render([jpeg(photo), jpeg(photo)], options);
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fileIndex: 0 });
    expect(findingOfError(error)).toMatchObject({ code: 'too_hard', severity: 'error' });
  });
});

describe('unusual files that print', () => {
  const render = useRendering();

  test.each([
    ['an outline with a cycle', circularOutline],
    ['a cross-reference section that refers to itself as the previous one', crossReferenceLoop],
    ['an object stream of 32 MB that no page uses', () => objectStreamBomb(32)],
    ['300 MB of content behind a predictor', () => predictedContent(300)],
    ['400 MB by LZW that widens its codes late', () => lzwBomb(400, 0)],
  ])('%s is printed', async (_title, make) => {
    const outcome = await render([pdf(make())]);
    expect(outcome.error).toBeNull();
    expect(outcome.printFile).toMatchObject({ pageCount: 1 });
  });
});
