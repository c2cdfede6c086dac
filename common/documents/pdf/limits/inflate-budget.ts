import { constants, inflateSync } from 'node:zlib';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from '@cantoo/pdf-lib';
import { FaultInDocument } from '#common/documents/isolation/fault-in-document.ts';
import type { InflatedSize } from './inflated-size.ts';

/** Most bytes that all streams of a document may decode to, counting the output of every filter of a stream. */
const maxInflatedBytes = 500_000_000;
/** Most bytes decoded in memory: filter output that another filter decodes, and streams that the parser reads. */
const maxFilterOutputBytes = 64 * 1024 * 1024;
/** The highest compression ratio of deflate. */
const maxDeflateRatio = 1032;

const filterKey = PDFName.of('Filter');
const parametersKey = PDFName.of('DecodeParms');
const knownFilters = ['FlateDecode', 'LZWDecode', 'RunLengthDecode', 'ASCII85Decode', 'ASCIIHexDecode'];
/** Filters that may have a predictor. */
const predictedFilters = ['FlateDecode', 'LZWDecode'];
const shortNames: Record<string, string> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
};

/** One filter of a stream. `earlyChange` (LZW only): how many codes early the code width grows. */
type StreamFilter = { name: string; predictor: number; earlyChange: number };

type Resolve = (object: PDFObject | undefined) => PDFObject | undefined;

/** The number of bytes that a document may still decode to. */
export type InflateBudget = {
  readonly leftBytes: number;
  /** Throws `unpacks_too_large` when the budget is exceeded. */
  spend(bytes: number): void;
};

export function createInflateBudget(): InflateBudget {
  let leftBytes = maxInflatedBytes;
  return {
    get leftBytes() {
      return Math.max(0, leftBytes);
    },
    spend(bytes) {
      leftBytes -= bytes;
      if (leftBytes < 0) throw new FaultInDocument('unpacks_too_large');
    },
  };
}

/**
 * Spends the output size of every filter of a stream, without keeping the output. Counting stops at an image codec
 * (JPEG, JPEG 2000, JBIG2, fax), whose data is printed unchanged. Throws `unpacks_too_large`, or `too_hard` for a
 * predictor between two filters.
 */
export async function spendStream(
  stream: PDFRawStream,
  resolve: Resolve,
  budget: InflateBudget,
  inflatedSize: InflatedSize,
): Promise<void> {
  const filters = filtersOf(stream, resolve);
  let bytes: Uint8Array = stream.contents;
  if (filters.length === 0) budget.spend(bytes.length);
  for (const [i, filter] of filters.entries()) {
    const isFlate = filter.name === 'FlateDecode';
    const size = isFlate ? await inflatedSize(bytes, budget.leftBytes) : computedSize(bytes, filter);
    budget.spend(size);
    if (i === filters.length - 1) return;
    if (size > maxFilterOutputBytes) throw new FaultInDocument('unpacks_too_large', 'packed twice');
    bytes = decode(bytes, filter, stream);
  }
}

/**
 * Does the same for a stream that the parser is about to decode in memory, with at most 64 MB per filter. Data after
 * damage inside a stream is not counted, because the parser does not decode it either.
 */
export function spendParsedStream(stream: PDFRawStream, resolve: Resolve, budget: InflateBudget): void {
  let bytes: Uint8Array = stream.contents;
  for (const filter of filtersOf(stream, resolve)) {
    const decoded = decodeBounded(bytes, filter, stream, Math.min(maxFilterOutputBytes, budget.leftBytes));
    budget.spend(decoded?.length ?? Math.min(maxFilterOutputBytes, bytes.length * maxDeflateRatio));
    if (!decoded) return;
    bytes = decoded;
  }
}

/** Decodes at most `maxBytes`. Returns null when the stream is damaged. Throws `unpacks_too_large`. */
function decodeBounded(
  bytes: Uint8Array,
  filter: StreamFilter,
  stream: PDFRawStream,
  maxBytes: number,
): Uint8Array | null {
  const size = filter.name === 'FlateDecode' ? 0 : computedSize(bytes, filter);
  if (size > maxBytes) throw new FaultInDocument('unpacks_too_large', 'a stream that is parsed');
  try {
    return decode(bytes, filter, stream, maxBytes);
  } catch (error) {
    // In a warm process the error is not of this JavaScript context, so its class is another one.
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) throw new FaultInDocument('unpacks_too_large', 'a stream that is parsed');
    return null;
  }
}

/**
 * Returns the filters before the first image codec, in decoding order. A predictor is not counted: its output is never
 * larger than its input. Between two filters a predictor is refused: the size of the next filter would be known only
 * after undoing the predictor, and a valid document gains nothing from compressing predicted data twice. `Crypt` is
 * left out: readers skip it in a document without encryption.
 */
function filtersOf({ dict }: PDFRawStream, resolve: Resolve): StreamFilter[] {
  const entry = resolve(dict.get(filterKey));
  const parameters = resolve(dict.get(parametersKey));
  const filters = (entry instanceof PDFArray ? entry.asArray().map(resolve) : [entry]).flatMap((word, i) => {
    if (!(word instanceof PDFName)) return [];
    const name = shortNames[word.decodeText()] ?? word.decodeText();
    // One dictionary for several filters is invalid. Some readers apply it to every filter.
    const own = parameters instanceof PDFArray ? resolve(parameters.asArray()[i]) : parameters;
    const read = (key: string) => readNumber(own, key, resolve) ?? 1;
    return name === 'Crypt' ? [] : [{ name, predictor: read('Predictor'), earlyChange: read('EarlyChange') }];
  });
  const codecAt = filters.findIndex(({ name }) => !knownFilters.includes(name));
  const counted = codecAt < 0 ? filters : filters.slice(0, codecAt);
  const isPredicted = ({ name, predictor }: StreamFilter) => predictor !== 1 && predictedFilters.includes(name);
  if (counted.slice(0, -1).some(isPredicted)) throw new FaultInDocument('too_hard', 'a predictor between two filters');
  return counted;
}

function readNumber(dict: PDFObject | undefined, key: string, resolve: Resolve): number | undefined {
  const value = dict instanceof PDFDict ? resolve(dict.get(PDFName.of(key))) : undefined;
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

/** Computes the decoded size for all filters but FlateDecode, without decoding. */
function computedSize(bytes: Uint8Array, { name, earlyChange }: StreamFilter): number {
  if (name === 'LZWDecode') return lzwSize(bytes, earlyChange);
  if (name === 'RunLengthDecode') return runLengthSize(bytes);
  if (name === 'ASCIIHexDecode') return bytes.length / 2;
  // ASCII85: five characters encode four bytes, and a `z` encodes four zeros.
  const zeros = bytes.reduce((count, byte) => count + (byte === 0x7a ? 1 : 0), 0);
  return zeros * 4 + ((bytes.length - zeros) * 4) / 5;
}

function decode(
  bytes: Uint8Array,
  { name, earlyChange }: StreamFilter,
  { dict }: PDFRawStream,
  maxBytes = maxFilterOutputBytes,
): Uint8Array {
  const { Z_SYNC_FLUSH: finishFlush } = constants;
  // zlib refuses a limit of zero.
  if (name === 'FlateDecode') return inflateSync(bytes, { finishFlush, maxOutputLength: Math.max(1, maxBytes) });
  const plain = dict.context.obj({ Filter: name, DecodeParms: { EarlyChange: earlyChange } });
  return decodePDFRawStream(PDFRawStream.of(plain, bytes)).decode();
}

/** Sums up the lengths of the LZW codes without decoding them. */
function lzwSize(bytes: Uint8Array, earlyChange: number): number {
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
    // A code not yet in the table stands for the previous string followed by its first byte.
    const length = code < clear ? 1 : (lengths[code - 258] ?? previous + 1);
    size += length;
    if (previous > 0 && lengths.length < 4096 - 258) lengths.push(previous + 1);
    previous = length;
    const next = lengths.length + 258 + earlyChange;
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
