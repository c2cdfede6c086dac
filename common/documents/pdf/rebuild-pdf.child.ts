import { readFileSync } from 'node:fs';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { maxRebuiltBytes } from '../isolation/child-limits.ts';
import { childMain, FaultInDocument } from '../isolation/child-main.ts';
import { copyPages } from './copy-pages.ts';
import { createInflateBudget } from './inflate-budget.ts';
import { measureInflated } from './measure-inflated.ts';
import { maxPages, openPdf } from './pdf-source.ts';
import { createPdfWriter } from './pdf-writer.ts';

/** Checks a PDF and rebuilds it from its pages only: `rebuild-pdf.child.ts <file>` writes `part.pdf` to its folder. */
await childMain('damaged_pdf', async ([path = '']) => {
  const bytes = readFileSync(path);
  const pageCount = await countPages(bytes);
  if (pageCount > maxPages) throw new FaultInDocument('too_many_pages');

  const budget = createInflateBudget();
  const source = await openPdf(bytes, budget);
  // PDFium counts the pages and pdf-lib copies them. Both must find the same number.
  if (source.pages.length !== pageCount) {
    throw new FaultInDocument('damaged_pdf', `${pageCount} pages announced, ${source.pages.length} found`);
  }
  await measureInflated(source, budget);

  const writer = createPdfWriter('part.pdf', maxRebuiltBytes(bytes.length, pageCount));
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
