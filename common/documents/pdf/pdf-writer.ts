import { FaultInDocument } from '../isolation/fault-in-document.ts';
import type { PdfSink } from './pdf-sink.ts';

const catalogNumber = 1;
const pagesNumber = 2;

/** A layer: the object number of its optional content group, and whether it is hidden in print. */
export type Layer = { objectNumber: number; isHidden: boolean };

/**
 * Writes a PDF object by object; memory does not grow with the document. It writes no dates and no ids: the same input
 * gives the same bytes. Synchronous, because it runs in a child process that does nothing else.
 */
export type PdfWriter = {
  /** The object number of the page tree, the parent of every page. */
  readonly pagesNumber: number;
  /** Returns a number for an object that is written later. */
  reserve(): number;
  beginObject(objectNumber: number): void;
  endObject(): void;
  /** Writes PDF syntax, encoded in Latin-1. */
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  /** Writes a stream object. `entries` are its dictionary entries without the length. */
  stream(objectNumber: number, entries: string, parts: readonly Uint8Array[]): void;
  addPage(objectNumber: number): void;
  /** Replaces an earlier layer with the same object number. */
  addLayer(layer: Layer): void;
  /** Writes the page tree, the catalog and the cross-reference table, and closes the sink. */
  finish(): void;
};

/** Writes to `sink`. Writing throws the fault `prints_too_large` when the document exceeds `maxBytes`. */
export function createPdfWriter(sink: PdfSink, maxBytes = Number.POSITIVE_INFINITY): PdfWriter {
  const offsets: number[] = [];
  const pages: number[] = [];
  const layers = new Map<number, Layer>();
  let lastNumber = pagesNumber;

  const refuseOver = (more: number) => {
    if (sink.position() + more > maxBytes) throw new FaultInDocument('prints_too_large', `over ${maxBytes} bytes`);
  };
  const text = (words: string) => {
    refuseOver(words.length);
    sink.text(words);
  };
  const bytes = (chunk: Uint8Array) => {
    refuseOver(chunk.length);
    sink.bytes(chunk);
  };

  // The comment of four bytes above 127 marks the file as binary for transfer programs.
  text('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');

  const writer: PdfWriter = {
    pagesNumber,
    reserve() {
      lastNumber += 1;
      return lastNumber;
    },
    beginObject(objectNumber) {
      offsets[objectNumber] = sink.position();
      text(`${objectNumber} 0 obj\n`);
    },
    endObject() {
      text('\nendobj\n');
    },
    text,
    bytes,
    stream(objectNumber, entries, parts) {
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      writer.beginObject(objectNumber);
      text(`<< ${entries} /Length ${length} >>\nstream\n`);
      for (const part of parts) bytes(part);
      text('\nendstream');
      writer.endObject();
    },
    addPage: (objectNumber) => void pages.push(objectNumber),
    addLayer: (layer) => void layers.set(layer.objectNumber, layer),
    finish() {
      writer.beginObject(pagesNumber);
      text(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map(toRef).join(' ')}] >>`);
      writer.endObject();
      writer.beginObject(catalogNumber);
      text(`<< /Type /Catalog /Pages ${toRef(pagesNumber)}${layersEntry([...layers.values()])} >>`);
      writer.endObject();
      writeTable(sink, offsets, lastNumber);
      sink.close();
    },
  };
  return writer;
}

export function toRef(objectNumber: number): string {
  return `${objectNumber} 0 R`;
}

function layersEntry(layers: readonly Layer[]): string {
  if (layers.length === 0) return '';
  const all = layers.map((layer) => toRef(layer.objectNumber)).join(' ');
  const hidden = layers
    .filter((layer) => layer.isHidden)
    .map((layer) => toRef(layer.objectNumber))
    .join(' ');
  return ` /OCProperties << /OCGs [${all}] /D << /Order [] /OFF [${hidden}] >> >>`;
}

/** Writes the cross-reference table. Each entry has exactly 20 bytes; unused numbers are marked as free. */
function writeTable(sink: PdfSink, offsets: readonly number[], lastNumber: number): void {
  const tableAt = sink.position();
  sink.text(`xref\n0 ${lastNumber + 1}\n0000000000 65535 f \n`);
  for (let objectNumber = 1; objectNumber <= lastNumber; objectNumber += 1) {
    const offset = offsets[objectNumber];
    sink.text(offset === undefined ? '0000000000 00000 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`);
  }
  sink.text(`trailer\n<< /Size ${lastNumber + 1} /Root ${toRef(catalogNumber)} >>\nstartxref\n${tableAt}\n%%EOF\n`);
}
