import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import { type DictMode, isEntryCopied, isExcluded, modeOfEntry } from './copy-rules.ts';
import type { Placing } from './fitting/fit-to-a4.ts';
import { findPatterns, placedMatrix } from './fitting/place-patterns.ts';
import type { PdfSource } from './pdf-source.ts';
import { type PdfWriter, toRef } from './pdf-writer.ts';

const patternsKey = PDFName.of('Pattern');
const matrixKey = PDFName.of('Matrix');

/** Appends objects of one source to another document. Each object is copied once, however often it is referenced. */
export type ObjectCopier = {
  /**
   * Returns a reference in the new document to the copy of `object`, or of the object it refers to; `null` when that is
   * excluded. The same object gets the same reference, so content shared by pages is stored once. `writePending` writes
   * the copy.
   */
  refTo(object: PDFObject, mode?: DictMode): string;
  /**
   * Returns a reference to the copy of a page's resources for content that is placed on a sheet. Its patterns are scaled
   * and moved with the content, which a change of the content's coordinates does not do (ISO 32000-1, 8.7.2).
   */
  refToPlaced(resources: PDFObject, placing: Placing): string;
  writePending(): void;
  /** Returns the new numbers of a copied object: one for each mode in which it was copied. */
  copiedNumbers(ref: PDFRef): number[];
};

/**
 * The numbers that copied objects of one source have in the new document. Separate for each mode: which entries a
 * dictionary keeps depends on the mode.
 */
export type CopiedNumbers = Record<DictMode, Map<PDFRef, number>>;

export function createCopiedNumbers(): CopiedNumbers {
  return { plain: new Map(), resources: new Map(), names: new Map() };
}

type Copy = {
  source: PdfSource;
  writer: PdfWriter;
  numbers: CopiedNumbers;
  /** Objects without a number in the source. Not part of `numbers`, which must not keep the source in memory. */
  directNumbers: Map<PDFObject, number>;
  /** Resources and patterns of placed pages, by their entries for the placing. */
  placedNumbers: Map<PDFObject, Map<string, number>>;
  pending: Pending[];
};

type Pending = { objectNumber: number; object: PDFObject; mode: DictMode; placing?: Placing | undefined };

/** Fills `numbers`. When passed again with the same source, the objects in it are reused, not copied again. */
export function createObjectCopier(
  source: PdfSource,
  writer: PdfWriter,
  numbers = createCopiedNumbers(),
): ObjectCopier {
  const copy: Copy = { source, writer, numbers, directNumbers: new Map(), placedNumbers: new Map(), pending: [] };
  return {
    refTo: (object, mode = 'plain') => refTo(copy, object, mode),
    refToPlaced(resources, placing) {
      const hasPatterns = findPatterns(resources, source) !== null;
      return hasPatterns ? refToPlaced(copy, resources, 'resources', placing) : refTo(copy, resources, 'resources');
    },
    writePending() {
      for (let next = copy.pending.pop(); next; next = copy.pending.pop()) {
        writeIndirect(copy, next);
      }
    },
    copiedNumbers: (ref) => Object.values(copy.numbers).flatMap((ofMode) => ofMode.get(ref) ?? []),
  };
}

function refTo(copy: Copy, named: PDFObject, mode: DictMode): string {
  const object = copy.source.resolve(named);
  // The mode matters only for dictionaries, so any other object is copied once.
  const numbers = copy.numbers[object instanceof PDFDict ? mode : 'plain'];
  const known = named instanceof PDFRef ? numbers.get(named) : copy.directNumbers.get(named);
  if (known !== undefined) return toRef(known);
  if (object === undefined || isExcluded(object, mode, copy.source)) return 'null';

  const objectNumber = copy.writer.reserve();
  if (named instanceof PDFRef) numbers.set(named, objectNumber);
  else copy.directNumbers.set(named, objectNumber);
  copy.pending.push({ objectNumber, object, mode });
  return toRef(objectNumber);
}

function refToPlaced(copy: Copy, named: PDFObject, mode: DictMode, placing: Placing): string {
  const object = copy.source.resolve(named);
  if (object === undefined || isExcluded(object, mode, copy.source)) return 'null';
  const { scale, dx, dy } = placing;
  const key = `${scale} ${dx} ${dy}`;
  const numbers = copy.placedNumbers.get(named) ?? new Map<string, number>();
  copy.placedNumbers.set(named, numbers);
  const known = numbers.get(key);
  if (known !== undefined) return toRef(known);

  const objectNumber = copy.writer.reserve();
  numbers.set(key, objectNumber);
  copy.pending.push({ objectNumber, object, mode, placing });
  return toRef(objectNumber);
}

function write(copy: Copy, object: PDFObject, mode: DictMode): void {
  const { writer } = copy;
  if (object instanceof PDFRef) {
    writer.text(refTo(copy, object, mode));
  } else if (isExcluded(object, mode, copy.source)) {
    writer.text('null');
  } else if (object instanceof PDFDict) {
    writer.text('<<');
    writeEntries(copy, object, { mode, isStream: false });
    writer.text('>>');
  } else if (object instanceof PDFArray) {
    writer.text('[');
    for (let i = 0; i < object.size(); i += 1) {
      if (i > 0) writer.text(' ');
      write(copy, object.get(i), 'plain');
    }
    writer.text(']');
  } else if (object instanceof PDFStream) {
    throw new FaultInDocument('damaged_pdf', 'a stream inside another object');
  } else {
    // Strings keep their escapes.
    writer.text(object.toString());
  }
}

type Entries = { mode: DictMode; isStream: boolean; placing?: Placing | undefined };

function writeEntries(copy: Copy, dict: PDFDict, { mode, isStream, placing }: Entries): void {
  for (const [key, value] of dict.entries()) {
    if (placing && (mode === 'resources' ? key === patternsKey : key === matrixKey)) continue;
    const resolved = mode === 'names' ? copy.source.resolve(value) : value;
    if (!isEntryCopied(key, resolved, mode, isStream)) continue;
    copy.writer.text(`${key} `);
    write(copy, value, modeOfEntry(key, mode));
  }
  if (!placing) return;
  if (mode === 'resources') writePlacedPatterns(copy, dict, placing);
  else copy.writer.text(`/Matrix [${placedMatrix(dict, placing, copy.source)}]`);
}

/** A pattern has its own matrix, which maps it to the coordinates of the page. */
function writePlacedPatterns(copy: Copy, resources: PDFDict, placing: Placing): void {
  copy.writer.text('/Pattern <<');
  for (const [name, pattern] of findPatterns(resources, copy.source)?.entries() ?? []) {
    const object = copy.source.resolve(pattern);
    const isPattern = object instanceof PDFDict || object instanceof PDFStream;
    if (isPattern) copy.writer.text(`${name} ${refToPlaced(copy, pattern, 'plain', placing)} `);
  }
  copy.writer.text('>>');
}

function writeIndirect(copy: Copy, { objectNumber, object, mode, placing }: Pending): void {
  const { writer } = copy;
  writer.beginObject(objectNumber);
  if (object instanceof PDFRawStream) {
    writer.text('<<');
    writeEntries(copy, object.dict, { mode: 'plain', isStream: true, placing });
    writer.text(`/Length ${object.contents.length}>>\nstream\n`);
    writer.bytes(object.contents);
    writer.text('\nendstream');
  } else if (placing && object instanceof PDFDict) {
    writer.text('<<');
    writeEntries(copy, object, { mode, isStream: false, placing });
    writer.text('>>');
  } else {
    write(copy, object, mode);
  }
  writer.endObject();
}
