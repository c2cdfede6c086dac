import { readFileSync } from 'node:fs';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { UploadMimeType } from '#common/mime-types.ts';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import { decodeHeic } from './decode-heic.ts';
import { type Orientation, placeOnA4, printablePixels } from './place-on-a4.ts';
import { readJpeg } from './read-jpeg.ts';

export const maxPixels = 50_000_000;
export const maxSidePixels = 16_384;
const paper = '#ffffff';

/** An image as PDF embeds it: encoded bytes, and the dictionary entries that describe the encoding. */
export type PdfImage = {
  width: number;
  height: number;
  orientation: Orientation;
  entries: string;
  parts: readonly Uint8Array[];
};

/** Security: only these two decoders may read an upload, whatever format its bytes claim. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile'] });
sharp.cache(false);
sharp.concurrency(1);

/** Reads an image file. Throws `FaultInDocument`: `damaged_image`, `image_too_large`. */
export async function readImage(path: string, mimeType: UploadMimeType): Promise<PdfImage> {
  if (mimeType === 'image/jpeg') return readJpegImage(path);
  if (mimeType === 'image/png') return readPngImage(path);

  const photo = await decodeHeic(readFileSync(path), refuseTooLarge);
  const { data, width, height } = photo;
  return encodePhoto(sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: maxPixels }));
}

function refuseTooLarge(width: number, height: number): void {
  if (width * height > maxPixels || Math.max(width, height) > maxSidePixels) {
    throw new FaultInDocument('image_too_large', `${width} x ${height}`);
  }
  if (width < 1 || height < 1) throw new FaultInDocument('damaged_image', 'no pixels');
}

/** Keeps the encoded bytes of a JPEG, without loss or growth. Decodes it once to check that it is complete. */
async function readJpegImage(path: string): Promise<PdfImage> {
  const metadata = await readHeader(path);
  refuseTooLarge(metadata.width, metadata.height);
  const jpeg = readJpeg(readFileSync(path));
  await decodeOnce(path);
  if (!jpeg.isEmbeddable) return encodePhoto(open(path, 'error').autoOrient().flatten({ background: paper }));

  const { width, height, parts } = jpeg;
  // Inverted as Adobe stores it. Browsers assume that also without Adobe's marker, and files that differ are rare.
  const isInverted = jpeg.components === 4;
  const colours = { 1: '/DeviceGray', 4: '/DeviceCMYK' }[jpeg.components] ?? '/DeviceRGB';
  const entries = `${colourEntries(colours)} /Filter /DCTDecode${isInverted ? ' /Decode [1 0 1 0 1 0 1 0]' : ''}`;
  return { width, height, orientation: readOrientation(metadata), entries, parts };
}

function open(path: string, failOn: 'error' | 'warning'): Sharp {
  return sharp(path, { failOn, limitInputPixels: maxPixels, sequentialRead: true });
}

async function readHeader(path: string): Promise<Metadata> {
  return sharp(path, { limitInputPixels: false }).metadata();
}

/**
 * Decodes all data at an eighth of the size. For missing data the decoder only warns and fills in grey, so warnings
 * count as errors. Exception: stray bytes between segments, which some cameras write.
 */
async function decodeOnce(path: string): Promise<void> {
  const decode = (failOn: 'error' | 'warning') => open(path, failOn).resize(64, 64, { fit: 'fill' }).raw().toBuffer();
  try {
    await decode('warning');
  } catch (error) {
    if (!/extraneous bytes/.test(String(error))) throw error;
    await decode('error');
  }
}

function readOrientation({ orientation = 1 }: Metadata): Orientation {
  return orientation >= 1 && orientation <= 8 ? (orientation as Orientation) : 1;
}

const colourEntries = (colours: string) => `/ColorSpace ${colours} /BitsPerComponent 8`;

/** Lossless, at most 300 dots per inch on the page. PDF embeds the compressed PNG rows unchanged (predictor 15). */
async function readPngImage(path: string): Promise<PdfImage> {
  const metadata = await readHeader(path);
  refuseTooLarge(metadata.width, metadata.height);
  const isGrey = metadata.channels <= 2;

  const image = fitToPage(open(path, 'error').autoOrient().flatten({ background: paper }), metadata);
  const { data, info } = await image
    .toColourspace(isGrey ? 'b-w' : 'srgb')
    .png({ compressionLevel: 6, adaptiveFiltering: true, palette: false })
    .toBuffer({ resolveWithObject: true });

  const { width, height } = info;
  const channels = data.readUInt8(25) === 0 ? 1 : 3;
  const predictor = `/DecodeParms << /Predictor 15 /Colors ${channels} /BitsPerComponent 8 /Columns ${width} >>`;
  const entries = `${colourEntries(channels === 1 ? '/DeviceGray' : '/DeviceRGB')} /Filter /FlateDecode ${predictor}`;
  return { width, height, orientation: 1, entries, parts: readPackedRows(data) };
}

/** Scales an image down to 300 dots per inch on the page. Rotated images are measured as viewed. */
function fitToPage(image: Sharp, viewed: { width: number; height: number; orientation?: number | undefined }): Sharp {
  const isRotated = (viewed.orientation ?? 1) >= 5;
  const { pageWidth, pageHeight } = placeOnA4(viewed.width, viewed.height, isRotated ? 6 : 1);
  const { shortSide, longSide } = printablePixels;
  const [width, height] = pageWidth > pageHeight ? [longSide, shortSide] : [shortSide, longSide];
  return image.resize(width, height, { fit: 'inside', withoutEnlargement: true });
}

/** Returns the IDAT chunks of a PNG in order. The PNG is one that we have just encoded, so it is trusted. */
function readPackedRows(png: Buffer): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return parts;
}

/** Encodes a photo that PDF cannot embed as a JPEG, at most 300 dots per inch on the page. */
async function encodePhoto(image: Sharp): Promise<PdfImage> {
  const metadata = await image.metadata();
  const { data, info } = await fitToPage(image, metadata)
    .toColourspace('srgb')
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer({ resolveWithObject: true });
  const entries = `${colourEntries('/DeviceRGB')} /Filter /DCTDecode`;
  return { width: info.width, height: info.height, orientation: 1, entries, parts: [data] };
}
