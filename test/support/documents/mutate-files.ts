import { readFileSync } from 'node:fs';
import type { UploadMimeType } from '#common/mime-types.ts';
import { photoHeicPath, quarters } from './build-images.ts';
import { onePage, packedPdf, rawPdf, rawStream, textPdf } from './build-pdf.ts';
import { circularOutline, crossReferenceLoop, recursivePageTree, scriptedPdf } from './hostile-pdfs.ts';

/** Returns a number from 0 to below `below`. */
type Pick = (below: number) => number;
/** Changes a file. `other` is a file to take pieces from. */
type Mutation = (file: Buffer, pick: Pick, other: Buffer) => Buffer;

const maxPieceBytes = 400;
const filters = [
  'FlateDecode',
  'LZWDecode',
  'RunLengthDecode',
  'ASCII85Decode',
  'ASCIIHexDecode',
  'Crypt',
  'DCTDecode',
];
const numbers = [
  '0',
  '-1',
  '1',
  '3',
  '255',
  '65536',
  '2147483647',
  '4294967296',
  '99999999999999999999',
  '0.5',
  '1 0 R',
];

/** Makes mutated files: the same `random` makes the same ones. */
export type FileMutator<T> = () => T;

export async function createPdfMutator(random: () => number): Promise<FileMutator<Buffer>> {
  const bases = await buildBases();
  const { pick, pickOf } = picksOf(random);
  return () => {
    // Inside of a compressed object stream a change of bytes only breaks the compression.
    let file = pick(4) === 0 ? packMutated(pick) : pickOf(bases);
    for (let left = 1 + pick(2); left > 0; left -= 1) file = pickOf(mutations)(file, pick, pickOf(bases));
    return file;
  };
}

export type MutatedImage = { bytes: Buffer; mimeType: UploadMimeType };

/** The first bytes, by which the type is recognized, stay in most images. */
export async function createImageMutator(random: () => number): Promise<FileMutator<MutatedImage>> {
  const { pick, pickOf } = picksOf(random);
  const images: MutatedImage[] = [
    { bytes: await quarters({ width: 80, height: 60, format: 'jpeg', orientation: 6 }), mimeType: 'image/jpeg' },
    { bytes: await quarters({ width: 80, height: 60, format: 'png' }), mimeType: 'image/png' },
    { bytes: readFileSync(photoHeicPath), mimeType: 'image/heic' },
  ];
  return () => {
    const { bytes, mimeType } = pickOf(images);
    const kept = pick(8) === 0 ? 0 : 16;
    const mutated = pickOf(byteMutations)(bytes.subarray(kept), pick, pickOf(images).bytes);
    return { bytes: Buffer.concat([bytes.subarray(0, kept), mutated]), mimeType };
  };
}

function picksOf(random: () => number) {
  const pick: Pick = (below) => Math.floor(random() * below);
  return { pick, pickOf: <T>(list: readonly T[]): T => list[pick(list.length)] as T };
}

/** Changes of any file. */
const byteMutations: readonly Mutation[] = [
  function flipBits(file, pick) {
    const changed = Buffer.from(file);
    for (let left = 1 + pick(8); left > 0; left -= 1) {
      const at = pick(changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << pick(8));
    }
    return changed;
  },
  function overwriteRange(file, pick) {
    const changed = Buffer.from(file);
    const start = pick(changed.length);
    for (let i = start; i < Math.min(start + 1 + pick(64), changed.length); i += 1) changed[i] = pick(256);
    return changed;
  },
  (file, pick) => file.subarray(0, 1 + pick(file.length)),
  function spliceRange(file, pick, other) {
    const from = pick(other.length);
    return insert(file, pick(file.length), other.subarray(from, from + 1 + pick(maxPieceBytes)), pick(maxPieceBytes));
  },
];

const mutations: readonly Mutation[] = [
  ...byteMutations,
  function spliceObject(file, pick, other) {
    const [piece, place] = [pickMatch(other, objects, pick), pickMatch(file, objects, pick)];
    return insert(file, place.start, other.subarray(piece.start, piece.end), pick(2) * (place.end - place.start));
  },
  function duplicateObject(file, pick) {
    const { start, end } = pickMatch(file, objects, pick);
    return insert(file, pickMatch(file, objects, pick).start, file.subarray(start, end));
  },
  function removeObject(file, pick) {
    const { start, end } = pickMatch(file, objects, pick);
    return insert(file, start, Buffer.alloc(0), end - start);
  },
  changeNumber,
  changeNumber,
  function changeFilter(file, pick) {
    const { start, end } = pickMatch(file, /\/(?:\w+Decode|Crypt|Length)\b/g, pick);
    return insert(file, start, Buffer.from(`/${filters[pick(filters.length)]}`), end - start);
  },
];

const objects = /\b\d+ \d+ obj\b[\s\S]*?endobj\s/g;

/** Changes a length, an object number, an offset or an operand. */
function changeNumber(file: Buffer, pick: Pick): Buffer {
  const { start, end } = pickMatch(file, /\d+/g, pick);
  const near = String(Number(file.toString('latin1', start, end)) + pick(9) - 4);
  const changed = pick(2) === 0 ? near : (numbers[pick(numbers.length)] ?? near);
  return insert(file, start, Buffer.from(changed), end - start);
}

/** Returns the place of one match; the start of the file when there is none. */
function pickMatch(file: Buffer, pattern: RegExp, pick: Pick): { start: number; end: number } {
  const found = [...file.toString('latin1').matchAll(pattern)];
  const match = found[pick(found.length)];
  return { start: match?.index ?? 0, end: (match?.index ?? 0) + (match?.[0].length ?? 0) };
}

/** Inserts a piece in place of `replaced` bytes. */
function insert(file: Buffer, at: number, piece: Buffer, replaced = 0): Buffer {
  return Buffer.concat([file.subarray(0, at), piece, file.subarray(at + replaced)]);
}

/** Builds a PDF whose objects are in one object stream, with one of them changed before they are compressed. */
function packMutated(pick: Pick): Buffer {
  const body: Record<number, string> = { ...inheritedPages(), 4: '[10 0 R 10 0 R]', 10: 'null' };
  const keys = Object.keys(body).map(Number);
  const [key = 1, other = 1] = [keys[pick(keys.length)], keys[pick(keys.length)]];
  const changed = Buffer.from(body[key] ?? '');
  const kinds = [changeNumber, ...byteMutations];
  const mutated = kinds[pick(kinds.length)]?.(changed, pick, Buffer.from(body[other] ?? '')) ?? changed;
  return packedPdf({ ...body, [key]: mutated.toString('latin1') });
}

/** Two pages that inherit their boxes and resources, without content. */
function inheritedPages(): Record<number, string> {
  return {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Count 2 /Kids [3 0 R 5 0 R] /MediaBox [0 0 600 800] /CropBox 6 0 R /Rotate 90 >>',
    3: '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [7 0 R] /Resources << /Font << /F1 8 0 R >> >> >>',
    5: '<< /Type /Page /Parent 2 0 R /Rotate 0 /CropBox [0 0 300 400] /UserUnit 2 /Annots [9 0 R] >>',
    6: '[100 100 500 700]',
    7: '<< /Type /Page /Parent 3 0 R /Group << /S /Transparency /CS /DeviceRGB >> >>',
    8: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FontDescriptor << /Flags 32 >> >>',
    9: '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 9 9] /AP << /N 4 0 R >> >>',
  };
}

async function buildBases(): Promise<Buffer[]> {
  const layer = rawStream('', '/OC /Hidden BDC 1 0 0 rg 0 0 595 842 re f EMC');
  return [
    Buffer.from(await textPdf(['Dear reader'])),
    Buffer.from(await textPdf(['one', 'two', 'three'])),
    rawPdf({ objects: onePage() }),
    packedPdf({ ...onePage({ content: '[]' }), 4: '[]' }),
    rawPdf({ objects: { ...inheritedPages(), 4: rawStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', 'q Q') } }),
    scriptedPdf(),
    circularOutline(),
    crossReferenceLoop(),
    recursivePageTree(1),
    rawPdf({
      objects: {
        ...onePage({
          catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>',
          content: layer,
          resources: '/Properties << /Hidden 6 0 R >>',
        }),
        6: '<< /Type /OCG /Name (Hidden) >>',
      },
    }),
    rawPdf({
      objects: onePage({
        content: rawStream('/Filter [/ASCIIHexDecode /RunLengthDecode]', '0471205120 0A80>'.replace(' ', '')),
      }),
    }),
  ];
}
