import { inflatedSize } from '#common/documents/pdf/limits/inflated-size.ts';
import { createMemorySink } from '#common/documents/pdf/pdf-sink.ts';
import { rebuildPdf } from '#common/documents/pdf/rebuild-pdf.ts';

/** Rebuilds a PDF in this process. */
export async function rebuildHere(bytes: Uint8Array, pageCount = 1): Promise<Buffer> {
  const sink = createMemorySink(Buffer.alloc(4 * 1024 * 1024));
  await rebuildPdf(bytes, { pageCount, sink, inflatedSize });
  return Buffer.from(sink.written());
}
