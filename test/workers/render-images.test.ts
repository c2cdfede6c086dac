import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import {
  heicOfBrand,
  photoHeicPath,
  photoJpegPath,
  quarterColours,
  quarters,
} from '../support/documents/build-images.ts';
import { colourDistance, readPages, type SeenPage } from '../support/documents/read-pdf.ts';
import { heic, jpeg, png, type Upload, useRendering } from '../support/documents/use-rendering.ts';

const mm = 72 / 25.4;
/** JPEG and drawing shift a plain colour by a few steps. */
const tolerance = 12;

describe('an image becomes an A4 page', () => {
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

  function expectColour(seen: string, expected: string): void {
    expect(colourDistance(seen, expected) <= tolerance ? expected : seen).toBe(expected);
  }

  /** The four quarters in their right places, paper around them. */
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

  test('given JPEGs held in all eight ways, when rendered, then each is seen upright', async () => {
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
  }, 60_000);

  test('given a lying PNG and one held sideways, when rendered, then pages lie and colours are exact', async () => {
    const lying = await quarters({ width: 800, height: 500, format: 'png' });
    const sideways = await quarters({ width: 800, height: 500, format: 'png', orientation: 6 });
    for (const page of await renderPages(png(lying), png(sideways))) {
      expectSize(page, 297, 210);
      expectQuarters(page);
    }
  });

  test('given an upright image of 3 to 4, when rendered, then it fills the page but for 5 mm at the sides', async () => {
    const [page] = await renderPages(jpeg(await quarters({ width: 300, height: 400, format: 'jpeg' })));
    expectSize(page, 210, 297);
    expectColour(page.colourAt((5.7 * mm) / page.width, 0.4), quarterColours.topLeft);
    expectColour(page.colourAt(1 - (5.7 * mm) / page.width, 0.6), quarterColours.bottomRight);
    // 200 mm wide, so 266.7 mm high: 15.2 mm are free above and below.
    expectColour(page.colourAt(0.25, (14.5 * mm) / page.height), '#ffffff');
    expectColour(page.colourAt(0.25, (15.9 * mm) / page.height), quarterColours.topLeft);
  });

  test('given a HEIC photo under both types and every brand, when rendered, then the bird is there', async () => {
    const photo = readFileSync(photoHeicPath);
    const asHeif: Upload = { bytes: heicOfBrand('mif1'), mimeType: 'image/heif' };
    for (const page of await renderPages(heic(photo), asHeif, heic(heicOfBrand('heim')))) {
      expectSize(page, 297, 210);
      // Deep sky above, grass below, the bird's blue crest left of the middle.
      expectColour(page.colourAt(0.6, 0.05), '#25559f');
      expectColour(page.colourAt(0.6, 0.93), '#2c5024');
      expectColour(page.colourAt(0.31, 0.33), '#2c6acb');
    }
  });

  test('given a phone’s JPEG stored on its side, when rendered, then it stands and carries no camera data', async () => {
    const { printFile } = await render([jpeg(readFileSync(photoJpegPath))]);
    const path = printFile?.path ?? '';
    const [page] = await readPages(path);
    expectSize(page, 210, 297);
    expectColour(page.colourAt(0.05, 0.07), '#14264f');
    expectColour(page.colourAt(0.48, 0.93), '#171b38');
    expect(readFileSync(path).includes('Exif')).toBe(false);
  });

  test('given grey, transparent, 16 bit and CMYK images, when rendered, then they look as they should', async () => {
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

  test('given a JPEG, when rendered, then its coded data is the same bytes and not coded again', async () => {
    const photo = await sharp(photoJpegPath).withMetadata().toBuffer();
    const { printFile } = await render([jpeg(photo)]);
    const scan = photo.subarray(photo.lastIndexOf(Buffer.from([0xff, 0xda])));
    expect(readFileSync(printFile?.path ?? '').includes(scan)).toBe(true);
  });
});
