import { PDFArray, PDFDict, type PDFObject, PDFRawStream, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { FaultInDocument } from './child-main.ts';
import type { PdfSource } from './pdf-source.ts';
import { type PdfWriter, toRef } from './pdf-writer.ts';
import { isEntryCopied, isLeftBehind, type Mode, modeUnder } from './what-is-copied.ts';

/** Copies objects of one source to the end of another document; each once, however often it is referred to. */
export type ObjectCopier = {
  /** A reference in the new document to what `ref` names in the source, to be written by `writeWaiting`; or `null`. */
  refTo(ref: PDFRef): string;
  /** Writes an object in place. */
  write(object: PDFObject, mode: Mode): void;
  writeWaiting(): void;
  /** The new number of an object that was copied. */
  copiedNumber(ref: PDFRef): number | undefined;
};

type Copy = {
  source: PdfSource;
  writer: PdfWriter;
  numbers: Map<PDFRef, number>;
  waiting: { objectNumber: number; object: PDFObject; mode: Mode }[];
};

export function createObjectCopier(source: PdfSource, writer: PdfWriter): ObjectCopier {
  const copy: Copy = { source, writer, numbers: new Map(), waiting: [] };
  return {
    refTo: (ref) => refTo(copy, ref, 'plain'),
    write: (object, mode) => write(copy, object, mode),
    writeWaiting() {
      for (let next = copy.waiting.pop(); next; next = copy.waiting.pop()) {
        writeIndirect(copy, next.objectNumber, next.object, next.mode);
      }
    },
    copiedNumber: (ref) => copy.numbers.get(ref),
  };
}

function refTo(copy: Copy, ref: PDFRef, mode: Mode): string {
  const known = copy.numbers.get(ref);
  if (known !== undefined) return toRef(known);
  const object = copy.source.resolve(ref);
  if (object === undefined || isLeftBehind(object, mode, copy.source)) return 'null';

  const objectNumber = copy.writer.reserve();
  copy.numbers.set(ref, objectNumber);
  copy.waiting.push({ objectNumber, object, mode });
  return toRef(objectNumber);
}

function write(copy: Copy, object: PDFObject, mode: Mode): void {
  const { writer } = copy;
  if (object instanceof PDFRef) {
    writer.text(refTo(copy, object, mode));
  } else if (isLeftBehind(object, mode, copy.source)) {
    writer.text('null');
  } else if (object instanceof PDFDict) {
    writer.text('<<');
    writeEntries(copy, object, mode, false);
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
    // Strings are kept as they stood in the source, escapes included.
    writer.text(object.toString());
  }
}

function writeEntries(copy: Copy, dict: PDFDict, mode: Mode, isStream: boolean): void {
  for (const [key, value] of dict.entries()) {
    const resolved = mode === 'names' ? copy.source.resolve(value) : value;
    if (!isEntryCopied(key, resolved, mode, isStream)) continue;
    copy.writer.text(`${key} `);
    write(copy, value, modeUnder(key, mode));
  }
}

function writeIndirect(copy: Copy, objectNumber: number, object: PDFObject, mode: Mode): void {
  const { writer } = copy;
  writer.beginObject(objectNumber);
  if (object instanceof PDFRawStream) {
    writer.text('<<');
    writeEntries(copy, object.dict, 'plain', true);
    writer.text(`/Length ${object.contents.length}>>\nstream\n`);
    writer.bytes(object.contents);
    writer.text('\nendstream');
  } else {
    write(copy, object, mode);
  }
  writer.endObject();
}
