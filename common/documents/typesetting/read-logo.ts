/** The pixels of an image. */
export type Pixels = { width: number; height: number };

/** Types of logos that can be printed. */
export const logoTypes = ['png', 'jpeg'] as const;
export type LogoType = (typeof logoTypes)[number];

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Returns the type of an image by its first bytes; null for any other file. */
export function findLogoType(bytes: Buffer): LogoType | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'png';
  return bytes.length > 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff ? 'jpeg' : null;
}

/**
 * Returns the size that an image claims in its header, as it is shown: a camera stores some upright pictures lying, with
 * their orientation. Null when it has none. Reads nothing else: the pixels are decoded only by the fenced process that
 * typesets.
 */
export function readPixels(type: LogoType, bytes: Buffer): Pixels | null {
  const pixels = type === 'png' ? readPng(bytes) : readJpeg(bytes);
  return pixels && pixels.width > 0 && pixels.height > 0 ? pixels : null;
}

/** PNG: the chunk IHDR comes first (ISO/IEC 15948). */
function readPng(bytes: Buffer): Pixels | null {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** JPEG: the first frame header, SOF0 to SOF15 without DHT, JPG and DAC (ISO/IEC 10918-1). */
function readJpeg(bytes: Buffer): Pixels | null {
  let isLying = false;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return isLying ? { width: height, height: width } : { width, height };
    }
    const length = Math.max(bytes.readUInt16BE(at + 2), 2);
    // APP1 with the first Exif block.
    if (marker === 0xe1) isLying ||= readOrientation(bytes.subarray(at + 4, at + 2 + length)) >= firstLying;
    at += 2 + length;
  }
  return null;
}

/** Orientations from 5 to 8 exchange width and height. */
const firstLying = 5;
const usual = 1;
const orientationTag = 0x0112;

/** Returns the orientation, from 1 to 8, of an Exif block (CIPA DC-008, tag 274); 1 when it has none or is faulty. */
function readOrientation(block: Buffer): number {
  if (block.toString('latin1', 0, 6) !== 'Exif\0\0') return usual;
  const tiff = block.subarray(6);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return usual;
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return usual;
  const count = Math.min(short(first), Math.floor((tiff.length - first - 2) / 12));
  for (let index = 0; index < count; index += 1) {
    const at = first + 2 + index * 12;
    if (short(at) !== orientationTag) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : usual;
  }
  return usual;
}
