import { maxRebuiltBytes } from '../isolation/child-limits.ts';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import { copyPages } from './copy-pages.ts';
import { createInflateBudget } from './limits/inflate-budget.ts';
import type { InflatedSize } from './limits/inflated-size.ts';
import { maxPages } from './limits/max-pages.ts';
import { measureInflated } from './limits/measure-inflated.ts';
import type { PdfSink } from './pdf-sink.ts';
import { openPdf } from './pdf-source.ts';
import { createPdfWriter } from './pdf-writer.ts';
import { findNotes, type SourceNote } from './source-notes.ts';

/** `pageCount`: as PDFium counts. `inflatedSize`: counts what deflated bytes unpack to. `notes`: known of the file. */
export type RebuildWork = {
  pageCount: number;
  sink: PdfSink;
  inflatedSize: InflatedSize;
  notes?: readonly SourceNote[];
};

/**
 * Checks a PDF and writes it to `sink`, rebuilt from its pages only, each fitted to A4. Throws `FaultInDocument`, and errors of the parser
 * for damaged bytes.
 */
export async function rebuildPdf(
  bytes: Uint8Array,
  { pageCount, sink, inflatedSize, notes = [] }: RebuildWork,
): Promise<void> {
  if (pageCount > maxPages) throw new FaultInDocument('too_many_pages');

  const budget = createInflateBudget();
  const source = await openPdf(bytes, budget);
  // PDFium counts the pages and pdf-lib copies them. Both must find the same number.
  if (source.pages.length !== pageCount) {
    throw new FaultInDocument('damaged_pdf', `${pageCount} pages announced, ${source.pages.length} found`);
  }
  const found = [...findNotes(source), ...notes];
  await measureInflated(source, budget, inflatedSize);

  const writer = createPdfWriter(sink, maxRebuiltBytes(bytes.length, pageCount));
  copyPages(source, writer, { isFitted: false, notes: found });
  writer.finish();
}
