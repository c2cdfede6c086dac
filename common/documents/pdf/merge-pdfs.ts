import { type CopiedNumbers, createCopiedNumbers } from './copy-objects.ts';
import { copyPages } from './copy-pages.ts';
import type { PdfSink } from './pdf-sink.ts';
import { openPdf } from './pdf-source.ts';
import { createPdfWriter } from './pdf-writer.ts';

/**
 * Writes the pages of all `parts`, in order, to `sink`. Returns the number of pages. The pages of a repeated part reuse
 * the objects of its first copy. `read` is called for each part in order: one is in memory at a time when they are
 * files. Throws `FaultInDocument`.
 */
export async function mergePdfs<Part>(
  parts: readonly Part[],
  read: (part: Part) => Uint8Array,
  sink: PdfSink,
): Promise<number> {
  const writer = createPdfWriter(sink);
  const copied = new Map<Part, CopiedNumbers>();
  let pageCount = 0;
  for (const part of parts) {
    const source = await openPdf(read(part));
    // The library keeps one reference object per object number, so `numbers` stay valid when a part is read again.
    const numbers = copied.get(part) ?? createCopiedNumbers();
    copied.set(part, numbers);
    copyPages(source, writer, { numbers, isFitted: true });
    pageCount += source.pages.length;
  }
  writer.finish();
  return pageCount;
}
