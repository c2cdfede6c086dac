import { FaultInDocument } from '../isolation/fault-in-document.ts';

/** The properties in a JPEG's markers, and the segments needed to draw it. */
export type Jpeg = {
  width: number;
  height: number;
  components: number;
  /** Every PDF reader can draw it: 8 bit, baseline or progressive, Huffman coded, 1, 3 or 4 components. */
  isEmbeddable: boolean;
  /** Privacy: camera data (with the location), thumbnails, comments and bytes after the end are left out. */
  parts: readonly Uint8Array[];
};

const startOfScan = 0xda;
const endOfImage = 0xd9;
const startOfImage = 0xd8;
/** Tables and headers. Of the application markers, only JFIF (E0) and Adobe (EE) affect decoding. */
const keptMarkers = [0xc4, 0xdb, 0xdc, 0xdd, 0xe0, 0xee];
const notFrames = [0xc4, 0xc8, 0xcc];

/** Parses the segments without decoding. Throws `damaged_image` when the end is missing, as in a truncated upload. */
export function readJpeg(bytes: Buffer): Jpeg {
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  let frame: { marker: number; precision: number; width: number; height: number; components: number } | undefined;

  for (let at = 2; ; ) {
    const { marker, start, end } = readSegment(bytes, at);
    if (marker === endOfImage) {
      parts.push(bytes.subarray(start, end));
      break;
    }
    const body = bytes.subarray(start + 4, end);
    if (isFrame(marker) && body.length >= 6) {
      frame = {
        marker,
        precision: body.readUInt8(0),
        height: body.readUInt16BE(1),
        width: body.readUInt16BE(3),
        components: body.readUInt8(5),
      };
    }
    if (isFrame(marker) || marker === startOfScan || keptMarkers.includes(marker))
      parts.push(bytes.subarray(start, end));
    at = end;
  }
  if (!frame) throw new FaultInDocument('damaged_image', 'no frame');

  const { marker, precision, width, height, components } = frame;
  const isEmbeddable = marker <= 0xc2 && precision === 8 && [1, 3, 4].includes(components) && height > 0;
  return { width, height, components, isEmbeddable, parts };
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !notFrames.includes(marker);
}

/** Finds the next segment at or after `from`. The segment of a scan includes the coded data that follows it. */
function readSegment(bytes: Buffer, from: number): { marker: number; start: number; end: number } {
  // Skip stray bytes before a marker, as every decoder does.
  let start = bytes.indexOf(0xff, from);
  while (start >= 0 && (bytes[start + 1] === 0xff || bytes[start + 1] === 0)) start = bytes.indexOf(0xff, start + 1);
  const marker = start < 0 ? undefined : bytes[start + 1];
  if (marker === undefined || marker === startOfImage) throw new FaultInDocument('damaged_image', 'no next marker');
  if (marker === endOfImage) return { marker, start, end: start + 2 };
  if (start + 4 > bytes.length) throw new FaultInDocument('damaged_image', 'cut off');

  const end = start + 2 + bytes.readUInt16BE(start + 2);
  return { marker, start, end: marker === startOfScan ? endOfScan(bytes, end) : end };
}

/** Returns where coded data ends: at the next marker that is neither a stuffed zero nor a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    const isData = next === 0 || next === 0xff || (next !== undefined && next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  throw new FaultInDocument('damaged_image', 'no end');
}
