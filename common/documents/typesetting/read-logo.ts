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
 * Returns the size that an image claims in its header, or null when it has none. Reads nothing else: the pixels are
 * decoded only by the fenced process that typesets.
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
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + Math.max(bytes.readUInt16BE(at + 2), 2);
  }
  return null;
}
