import { readFileSync } from 'node:fs';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { childMain } from '../isolation/child-main.ts';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import { inflatedSize } from './limits/inflated-size.ts';
import { createFileSink } from './pdf-sink.ts';
import { rebuildPdf } from './rebuild-pdf.ts';

/** Checks a PDF and rebuilds it from its pages only: `rebuild-pdf.child.ts <file>` writes `part.pdf` to its folder. */
await childMain('damaged_pdf', async ([path = '']) => {
  const bytes = readFileSync(path);
  const pageCount = await countPages(bytes);
  await rebuildPdf(bytes, { pageCount, sink: createFileSink('part.pdf'), inflatedSize });
  return { pageCount };
});

async function countPages(bytes: Uint8Array): Promise<number> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    return document.getPageCount();
  } catch (error) {
    if (/password|security/i.test(String(error))) throw new FaultInDocument('locked');
    throw new FaultInDocument('damaged_pdf', String(error));
  }
}
