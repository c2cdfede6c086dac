import { constants, createInflate, inflateSync } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib';
import { FaultInDocument } from './child-main.ts';
import type { PdfSource } from './pdf-source.ts';

/** What all streams of a document may unpack to together. */
export const maxInflatedBytes = 500_000_000;
/** A stream packed more than once is unpacked in memory up to here. */
const maxLayerBytes = 64 * 1024 * 1024;

const filterKey = PDFName.of('Filter');
const expanding = ['FlateDecode', 'LZWDecode', 'RunLengthDecode'];
const armouring = ['ASCII85Decode', 'ASCIIHexDecode'];
const shortNames: Record<string, string> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
};

/**
 * Unpacks every stream that can be reached from the pages, keeping nothing, and adds up. Throws `unpacks_too_large` as
 * soon as the sum is over `limitBytes`. Images in JPEG, JPEG 2000, JBIG2 or fax form are not unpacked.
 */
export async function measureInflated(source: PdfSource, limitBytes: number = maxInflatedBytes): Promise<number> {
  let total = 0;
  for (const stream of reachableStreams(source)) {
    total += await unpackedBytes(stream, source, limitBytes - total);
    if (total > limitBytes) throw new FaultInDocument('unpacks_too_large');
  }
  return total;
}

function* reachableStreams(source: PdfSource): Generator<PDFRawStream> {
  const seen = new Set<PDFObject>();
  const waiting: (PDFObject | undefined)[] = [];
  for (const page of source.pages) {
    for (const key of ['Contents', 'Resources', 'Annots', 'Group']) waiting.push(page.get(key));

    while (waiting.length > 0) {
      const object = source.resolve(waiting.pop());
      if (!object || seen.has(object) || source.frame.has(object)) continue;
      const held = object instanceof PDFRawStream ? object.dict : object;
      if (!(held instanceof PDFDict || held instanceof PDFArray)) continue;
      seen.add(object);
      for (const inner of held instanceof PDFDict ? held.values() : held.asArray()) waiting.push(inner);
      if (object instanceof PDFRawStream) yield object;
    }
  }
}

async function unpackedBytes(stream: PDFRawStream, source: PdfSource, limitBytes: number): Promise<number> {
  const filters = filtersOf(stream, source);
  let bytes: Uint8Array = stream.contents;
  for (const [i, filter] of filters.entries()) {
    if (!expanding.includes(filter) && !armouring.includes(filter)) return bytes.length;
    const size = await sizeAfter(bytes, filter, limitBytes);
    if (size > limitBytes || i === filters.length - 1) return size;
    if (size > maxLayerBytes) throw new FaultInDocument('unpacks_too_large', 'packed twice');
    bytes = unpack(bytes, filter, stream);
  }
  return bytes.length;
}

function filtersOf(stream: PDFRawStream, { resolve }: PdfSource): string[] {
  const entry = resolve(stream.dict.get(filterKey));
  const list = entry instanceof PDFArray ? entry.asArray().map(resolve) : [entry];
  const words = list.filter((filter) => filter instanceof PDFName).map((filter) => filter.decodeText());
  return words.map((word) => shortNames[word] ?? word);
}

function sizeAfter(bytes: Uint8Array, filter: string, limitBytes: number): Promise<number> | number {
  if (filter === 'FlateDecode') return inflatedSize(bytes, limitBytes);
  if (filter === 'LZWDecode') return lzwSize(bytes);
  if (filter === 'RunLengthDecode') return runLengthSize(bytes);
  // The most that text can stand for: one `z` for four bytes.
  return bytes.length * 4;
}

function unpack(bytes: Uint8Array, filter: string, { dict }: PDFRawStream): Uint8Array {
  if (filter === 'FlateDecode') return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  const plain = dict.context.obj({ Filter: filter });
  return decodePDFRawStream(PDFRawStream.of(plain, bytes)).decode();
}

/** Damage inside a stream is for the reader to bear: what came out before it is what is printed. */
function inflatedSize(bytes: Uint8Array, limitBytes: number): Promise<number> {
  return new Promise((resolve) => {
    const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 });
    let size = 0;
    const end = () => {
      inflate.destroy();
      resolve(size);
    };
    inflate.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) end();
    });
    inflate.once('end', end).once('error', end);
    inflate.end(bytes);
  });
}

/** Adds up what the codes stand for without writing it out. */
function lzwSize(bytes: Uint8Array): number {
  const clear = 256;
  const end = 257;
  let lengths: number[] = [];
  let width = 9;
  let previous = 0;
  let size = 0;
  let held = 0;
  let heldBits = 0;

  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xff_ff_ff;
    heldBits += 8;
    if (heldBits < width) continue;
    heldBits -= width;
    const code = (held >> heldBits) & ((1 << width) - 1);
    if (code === end) break;
    if (code === clear) {
      lengths = [];
      width = 9;
      previous = 0;
      continue;
    }
    // A code not yet in the table is the previous text and its first letter.
    const length = code < clear ? 1 : (lengths[code - 258] ?? previous + 1);
    size += length;
    if (previous > 0 && lengths.length < 4096 - 258) lengths.push(previous + 1);
    previous = length;
    const next = lengths.length + 259;
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return size;
}

function runLengthSize(bytes: Uint8Array): number {
  let size = 0;
  for (let at = 0; at < bytes.length; ) {
    const head = bytes[at] ?? 128;
    if (head === 128) break;
    size += head < 128 ? head + 1 : 257 - head;
    at += head < 128 ? head + 2 : 2;
  }
  return size;
}
