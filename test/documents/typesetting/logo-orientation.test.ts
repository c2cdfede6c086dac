// Level: push
import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { readPixels } from '#common/documents/typesetting/read-logo.ts';
import { aLetterOf, signal, useTypesetting } from '#test/support/documents/typesetting/use-typesetting.ts';
import { describe, expect, test, testWithPrograms } from '#test/support/jest.ts';

/** A JPEG of 300 x 100 pixels, blue with a red left third, with an Exif orientation. */
async function aLogo(orientation: number): Promise<Buffer> {
  const red = { create: { width: 100, height: 100, channels: 3, background: '#ff0000' } } as const;
  const input = await sharp(red).png().toBuffer();
  return await sharp({ create: { width: 300, height: 100, channels: 3, background: '#0000ff' } })
    .composite([{ input, left: 0, top: 0 }])
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();
}

describe('the logo of a letterhead with an Exif orientation', () => {
  const pool = useTypesetting();

  testWithPrograms('pdftoppm')('a logo that was stored lying is printed whole and upright', async () => {
    const logo = { type: 'jpeg', bytes: await aLogo(6) } as const;
    const letterhead = { senderLines: [], footerLines: [], logo };
    const { pdf } = await pool.typeset(aLetterOf('x', {}, { letterhead }), 'org', signal);
    const picture = execFileSync('pdftoppm', ['-r', '127', '-png', '-singlefile', '-'], { input: pdf });
    // The top of the page, without the text. 127 dpi: 5 pixels per mm.
    const head = await sharp(picture).extract({ left: 0, top: 0, width: 1_000, height: 300 }).toBuffer();
    const { data, info } = await sharp(head).trim().removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(info.height / info.width).toBeCloseTo(3, 0);
    expect(info.height).toBeGreaterThan(100);
    const isRed = (row: number) => (data[(row * info.width + Math.floor(info.width / 2)) * 3] ?? 0) > 128;
    expect([0.1, 0.5, 0.9].map((part) => isRed(Math.floor(info.height * part)))).toEqual([true, false, false]);
  });

  test('its size is that of the shown image, for each orientation', async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const shown = orientation >= 5 ? { width: 100, height: 300 } : { width: 300, height: 100 };
      expect([orientation, readPixels('jpeg', await aLogo(orientation))]).toEqual([orientation, shown]);
    }
  });

  test('a file that ends anywhere in its header is read without an error', async () => {
    const bytes = await aLogo(6);
    for (let length = 0; length < 300; length += 1) readPixels('jpeg', bytes.subarray(0, length));
    expect(readPixels('jpeg', bytes)).toEqual({ width: 100, height: 300 });
  });
});
