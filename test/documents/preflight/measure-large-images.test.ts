// Level: ci
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { useMeasuring } from '#test/support/documents/preflight/use-measuring.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const [a4Width, a4Height] = [595.28, 841.89];

/** A page that a picture of one colour fills. It has few bytes and many pixels. */
async function pictureOf(megapixels: number): Promise<Buffer> {
  const width = Math.round(Math.sqrt((megapixels * 1e6 * 3) / 4));
  const picture = sharp({
    create: { width, height: Math.round((width * 4) / 3), channels: 3, background: '#a03050' },
    limitInputPixels: false,
  });
  const document = await PDFDocument.create();
  const image = await document.embedJpg(await picture.jpeg().toBuffer());
  document.addPage([a4Width, a4Height]).drawImage(image, { x: 0, y: 0, width: a4Width, height: a4Height });
  return Buffer.from(await document.save());
}

describe('measuring pictures for which PDFium needs more memory', () => {
  const { measureWarm, measureAlone } = useMeasuring();

  test.each([16, 18])('%i megapixels are seen each time, in the same process as on their own', async (megapixels) => {
    const bytes = await pictureOf(megapixels);
    const alone = await measureAlone(bytes, 1);
    expect(alone?.pages).toMatchObject([{ isBlank: false, windows: { 'window-left': expect.any(Object) } }]);
    for (let round = 1; round <= 3; round += 1) expect([round, await measureWarm(bytes, 1)]).toEqual([round, alone]);
  });
});
