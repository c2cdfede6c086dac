import type { PdfSink } from '../pdf/pdf-sink.ts';
import { rebuildPdf } from '../pdf/rebuild-pdf.ts';

/** What the script defines in its JavaScript context. `file` is the content of a PDF. */
export type RebuildScript = {
  rebuild(file: ArrayBuffer, pageCount: number, sink: PdfSink): Promise<void>;
};

const defined: RebuildScript = {
  // The array must be one of this context: pdf-lib compares classes.
  rebuild: (file, pageCount, sink) => rebuildPdf(new Uint8Array(file), pageCount, sink),
};
Object.assign(globalThis, defined);
