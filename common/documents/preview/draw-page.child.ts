import { readFileSync, writeFileSync } from 'node:fs';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { childMain } from '../isolation/child-main.ts';
import { startPdfium } from '../pdfium/raw-pdfium.ts';
import { paintPage } from './paint-page.ts';

/** Draws a page of a PDF: `draw-page.child.ts <file> <page>` writes `page.png` to its folder. */
await childMain('damaged_pdf', async ([path = '', page = '']) => {
  const pdfium = await startPdfium();
  const document = await new PDFiumLibrary(pdfium).loadDocument(readFileSync(path));
  const picture = await paintPage(document, Number(page));
  pdfium.throwIfStarved();
  writeFileSync('page.png', picture);
  return {};
});
