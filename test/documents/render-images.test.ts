// Level: ci
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import sharp from 'sharp';
import { type Orientation, placeOnA4 } from '#common/documents/images/place-on-a4.ts';
import {
  heicOfBrand,
  photoHeicPath,
  photoJpegPath,
  quarterColours,
  quarters,
} from '../support/documents/build-images.ts';
import { colourDistance, readPages, type SeenPage } from '../support/documents/read-pdf.ts';
import { heic, jpeg, png, type Upload, useRendering } from '../support/documents/use-rendering.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const mm = 72 / 25.4;
/** JPEG encoding and rasterizing shift a plain colour slightly. */
const tolerance = 12;

const side = fc.integer({ min: 1, max: 16_384 });
const orientation = fc.integer({ min: 1, max: 8 }) as fc.Arbitrary<Orientation>;

describe('an image as an A4 page', () => {
  const render = useRendering();

  async function renderPages(...uploads: Upload[]): Promise<SeenPage[]> {
    const { printFile, error } = await render(uploads);
    expect(error).toBeNull();
    return readPages(printFile?.path ?? '');
  }

  function expectSize(page: SeenPage | undefined, widthMm: number, heightMm: number): asserts page {
    expect(page?.width).toBeCloseTo(widthMm * mm, 1);
    expect(page?.height).toBeCloseTo(heightMm * mm, 1);
  }

  /** Checks that a page in landscape is turned, its top at the left of the sheet. Returns it as it was before. */
  function turnedBack(page: SeenPage | undefined): SeenPage {
    expectSize(page, 210, 297);
    const { width, height, text, colourAt } = page;
    return { width: height, height: width, text, colourAt: (x, y) => colourAt(y, 1 - x) };
  }

  function expectColour(seen: string, expected: string): void {
    expect(colourDistance(seen, expected) <= tolerance ? expected : seen).toBe(expected);
  }

  /** Checks that the four quarters are in place, with white margins. */
  function expectQuarters(page: SeenPage): void {
    expectColour(page.colourAt(0.25, 0.4), quarterColours.topLeft);
    expectColour(page.colourAt(0.75, 0.4), quarterColours.topRight);
    expectColour(page.colourAt(0.25, 0.6), quarterColours.bottomLeft);
    expectColour(page.colourAt(0.75, 0.6), quarterColours.bottomRight);
    const nearlyMarginX = (4.3 * mm) / page.width;
    const nearlyMarginY = (4.3 * mm) / page.height;
    for (const x of [nearlyMarginX, 1 - nearlyMarginX]) expectColour(page.colourAt(x, 0.5), '#ffffff');
    for (const y of [nearlyMarginY, 1 - nearlyMarginY]) expectColour(page.colourAt(0.5, y), '#ffffff');
  }

  test('JPEGs of all eight EXIF orientations are printed upright', async () => {
    const orientations = [1, 2, 3, 4, 5, 6, 7, 8];
    const images = orientations.map((orientation) =>
      quarters({ width: 300, height: 400, format: 'jpeg', orientation }),
    );
    const pages = await renderPages(...(await Promise.all(images)).map(jpeg));
    expect(pages).toHaveLength(8);
    for (const page of pages) {
      expectSize(page, 210, 297);
      expectQuarters(page);
    }
  });

  test('a landscape PNG and a rotated one become turned pages with exact colours', async () => {
    const lying = await quarters({ width: 800, height: 500, format: 'png' });
    const sideways = await quarters({ width: 800, height: 500, format: 'png', orientation: 6 });
    for (const page of await renderPages(png(lying), png(sideways))) {
      expectQuarters(turnedBack(page));
    }
  });

  test('a 3:4 portrait image fills the page up to 5 mm at the sides', async () => {
    const [page] = await renderPages(jpeg(await quarters({ width: 300, height: 400, format: 'jpeg' })));
    expectSize(page, 210, 297);
    expectColour(page.colourAt((5.7 * mm) / page.width, 0.4), quarterColours.topLeft);
    expectColour(page.colourAt(1 - (5.7 * mm) / page.width, 0.6), quarterColours.bottomRight);
    // 200 mm wide and 266.7 mm high, with margins of 15.2 mm above and below.
    expectColour(page.colourAt(0.25, (14.5 * mm) / page.height), '#ffffff');
    expectColour(page.colourAt(0.25, (15.9 * mm) / page.height), quarterColours.topLeft);
  });

  test('a HEIC photo prints under both MIME types and several brands', async () => {
    const photo = readFileSync(photoHeicPath);
    const asHeif: Upload = { bytes: heicOfBrand('mif1'), mimeType: 'image/heif' };
    for (const turned of await renderPages(heic(photo), asHeif, heic(heicOfBrand('heim')))) {
      const page = turnedBack(turned);
      // Sky at the top, grass at the bottom, the bird's blue crest left of the centre.
      expectColour(page.colourAt(0.6, 0.05), '#25559f');
      expectColour(page.colourAt(0.6, 0.93), '#2c5024');
      expectColour(page.colourAt(0.31, 0.33), '#2c6acb');
    }
  });

  test('a rotated phone JPEG is printed upright and without camera data', async () => {
    const { printFile } = await render([jpeg(readFileSync(photoJpegPath))]);
    const path = printFile?.path ?? '';
    const [page] = await readPages(path);
    expectSize(page, 210, 297);
    expectColour(page.colourAt(0.05, 0.07), '#14264f');
    expectColour(page.colourAt(0.48, 0.93), '#171b38');
    expect(readFileSync(path).includes('Exif')).toBe(false);
  });

  test('grey, transparent, 16-bit and CMYK images keep their colours', async () => {
    const plain = (channels: 3 | 4, background: string) =>
      sharp({ create: { width: 60, height: 60, channels, background } });
    const grey = await plain(3, '#808080').toColourspace('b-w').png().toBuffer();
    const transparent = await plain(4, '#ff000000').png().toBuffer();
    const deep = await plain(3, '#3060a0').toColourspace('rgb16').png().toBuffer();
    const cmyk = await plain(3, '#ffffff').toColourspace('cmyk').jpeg().toBuffer();
    const pages = await renderPages(png(grey), png(transparent), png(deep), jpeg(cmyk));
    const middles = pages.map((page) => page.colourAt(0.5, 0.5));
    for (const [i, expected] of ['#808080', '#ffffff', '#3060a0', '#ffffff'].entries()) {
      expectColour(middles[i] ?? '', expected);
    }
  });

  test('a CMYK JPEG is inverted with and without Adobe’s marker, as browsers show it', async () => {
    const image = await quarters({ width: 300, height: 400, format: 'png' });
    const marked = await sharp(image).toColourspace('cmyk').jpeg().toBuffer();
    const at = marked.indexOf(Buffer.from([0xff, 0xee]));
    const unmarked = Buffer.concat([marked.subarray(0, at), marked.subarray(at + 2 + marked.readUInt16BE(at + 2))]);
    const [expected, seen] = await renderPages(jpeg(marked), jpeg(unmarked));
    const coloursOf = (page?: SeenPage) => [0.4, 0.6].flatMap((y) => [0.25, 0.75].map((x) => page?.colourAt(x, y)));
    expect(coloursOf(seen)).toEqual(coloursOf(expected));
    expect(colourDistance(coloursOf(seen)[3] ?? '', quarterColours.bottomRight)).toBeLessThan(60);
  });

  test('the encoded data of a JPEG is copied unchanged', async () => {
    const photo = await sharp(photoJpegPath).withMetadata().toBuffer();
    const { printFile } = await render([jpeg(photo)]);
    const scan = photo.subarray(photo.lastIndexOf(Buffer.from([0xff, 0xda])));
    expect(readFileSync(printFile?.path ?? '').includes(scan)).toBe(true);
  });
});

/** Returns the corners of the transformed unit square. */
function corners([a, b, c, d, e, f]: readonly [number, number, number, number, number, number]) {
  return [
    [e, f],
    [a + e, b + f],
    [c + e, d + f],
    [a + c + e, b + d + f],
  ] as [number, number][];
}

describe('an image on an A4 page', () => {
  test('any size and orientation keeps its aspect ratio and touches the 5 mm margin', () => {
    forAny([side, side, orientation], (width, height, turned) => {
      const { pageWidth, pageHeight, matrix } = placeOnA4(width, height, turned);
      const xs = corners(matrix).map(([x]) => x);
      const ys = corners(matrix).map(([, y]) => y);
      const [left, right] = [Math.min(...xs), Math.max(...xs)];
      const [bottom, top] = [Math.min(...ys), Math.max(...ys)];

      const [seenWidth, seenHeight] = turned >= 5 ? [height, width] : [width, height];
      expect((right - left) * seenHeight).toBeCloseTo((top - bottom) * seenWidth, 3);
      const margins = [left, bottom, pageWidth - right, pageHeight - top];
      expect(Math.min(...margins)).toBeCloseTo(5 * mm, 6);
      expect(left).toBeCloseTo(pageWidth - right, 6);
      expect(bottom).toBeCloseTo(pageHeight - top, 6);
    });
  });

  test.each([
    ['a portrait image', 300, 400, 1, 210, 297],
    ['a landscape image', 400, 300, 1, 297, 210],
    ['a square', 400, 400, 1, 210, 297],
    ['a landscape image viewed as portrait', 400, 300, 6, 210, 297],
    ['a portrait image viewed as landscape', 300, 400, 8, 297, 210],
  ] as const)('%s is placed in the page format that fits best', (_title, w, h, turned, widthMm, heightMm) => {
    const { pageWidth, pageHeight } = placeOnA4(w, h, turned);
    expect(pageWidth / mm).toBeCloseTo(widthMm, 6);
    expect(pageHeight / mm).toBeCloseTo(heightMm, 6);
  });
});
