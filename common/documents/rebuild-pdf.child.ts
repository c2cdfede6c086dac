import { readFileSync } from 'node:fs';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { childMain, FaultInDocument } from './child-main.ts';
import { copyPages } from './copy-pages.ts';
import { measureInflated } from './measure-inflated.ts';
import { maxPages, openPdf } from './pdf-source.ts';
import { createPdfWriter } from './pdf-writer.ts';

/** Counts and checks a PDF and rebuilds it from its pages alone: `rebuild-pdf.child.ts <file>` leaves `part.pdf`. */
await childMain('damaged_pdf', async ([path = '']) => {
  const bytes = readFileSync(path);
  const pageCount = await countPages(bytes);
  if (pageCount > maxPages) throw new FaultInDocument('too_many_pages');

  const source = await openPdf(bytes);
  // What one reader counts must be what another prints.
  if (source.pages.length !== pageCount) {
    throw new FaultInDocument('damaged_pdf', `${pageCount} pages announced, ${source.pages.length} found`);
  }
  await measureInflated(source);

  const writer = createPdfWriter('part.pdf');
  copyPages(source, writer);
  writer.finish();
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
