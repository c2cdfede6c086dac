import { mergePdfs } from '../pdf/merge-pdfs.ts';
import type { PdfSink } from '../pdf/pdf-sink.ts';
import { type RebuildWork, rebuildPdf } from '../pdf/rebuild-pdf.ts';

/** What the script defines in its JavaScript context. Files come as buffers, because arrays must be of this context. */
export type WarmScript = {
  rebuild(file: ArrayBuffer, work: RebuildWork): Promise<void>;
  /** Merges rebuilt PDFs, a repeated one as the same buffer, and returns the number of pages. */
  merge(parts: readonly ArrayBuffer[], sink: PdfSink): Promise<number>;
};

const defined: WarmScript = {
  // pdf-lib compares classes.
  rebuild: (file, work) => rebuildPdf(new Uint8Array(file), work),
  merge: (parts, sink) => mergePdfs(parts, (part) => new Uint8Array(part), sink),
};
Object.assign(globalThis, defined);
