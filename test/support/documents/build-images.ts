import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';

/** Our own photos: a bird on a branch (HEIC, landscape), an envelope at dusk (JPEG, portrait, stored rotated). */
export const photoHeicPath = fileURLToPath(new URL('../../../scripts/demo/photo.heic', import.meta.url));
export const photoJpegPath = fileURLToPath(new URL('../../../scripts/demo/photo.jpg', import.meta.url));

/** The colours of the four quarters of an image by `quarters`, viewed upright. */
export const quarterColours = {
  topLeft: '#d00000',
  topRight: '#00a000',
  bottomLeft: '#0000d0',
  bottomRight: '#e0c000',
};

export type QuartersOptions = { width: number; height: number; format: 'jpeg' | 'png'; orientation?: number };

/**
 * Creates an image of four coloured quarters. It is `width` by `height` and upright after the EXIF orientation is
 * applied: the stored pixels are rotated or mirrored the opposite way.
 */
export async function quarters({ width, height, format, orientation = 1 }: QuartersOptions): Promise<Buffer> {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const { topLeft, topRight, bottomLeft, bottomRight } = quarterColours;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${w}" height="${h}" fill="${topLeft}"/><rect x="${w}" width="${w}" height="${h}" fill="${topRight}"/>
    <rect y="${h}" width="${w}" height="${h}" fill="${bottomLeft}"/>
    <rect x="${w}" y="${h}" width="${w}" height="${h}" fill="${bottomRight}"/></svg>`;
  let pixels = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();
  for (const step of undoOf[orientation] ?? []) pixels = await steps[step](sharp(pixels)).png().toBuffer();
  return sharp(pixels).withMetadata({ orientation }).toFormat(format, { quality: 95 }).toBuffer();
}

type Step = 'turnLeft' | 'turnRight' | 'turnRound' | 'mirror';
const steps: Record<Step, (image: Sharp) => Sharp> = {
  turnLeft: (image) => image.rotate(-90),
  turnRight: (image) => image.rotate(90),
  turnRound: (image) => image.rotate(180),
  mirror: (image) => image.flop(),
};
/** Steps from the upright picture to the stored pixels: the inverse of each orientation. */
const undoOf: Record<number, Step[]> = {
  2: ['mirror'],
  3: ['turnRound'],
  4: ['mirror', 'turnRound'],
  5: ['turnRight', 'mirror'],
  6: ['turnLeft'],
  7: ['turnLeft', 'mirror'],
  8: ['turnRight'],
};

/** A PNG whose header declares a size that does not match its data. */
export async function pngOfSize(width: number, height: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** Our HEIC photo with another size in its header (the `ispe` box). */
export function heicOfSize(width: number, height: number): Buffer {
  const heic = readFileSync(photoHeicPath);
  const box = heic.indexOf('ispe', 0, 'latin1');
  heic.writeUInt32BE(width, box + 8);
  heic.writeUInt32BE(height, box + 12);
  return heic;
}

/** Our HEIC photo with another brand, as other phones and libraries write it. */
export function heicOfBrand(brand: string): Buffer {
  const heic = readFileSync(photoHeicPath);
  heic.write(brand, 8, 'latin1');
  return heic;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
