import { readFileSync, writeFileSync } from 'node:fs';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { childMain } from '../isolation/child-main.ts';
import { paintPage } from './paint-page.ts';

/** Draws a page of a PDF: `draw-page.child.ts <file> <page>` writes `page.png` to its folder. */
await childMain('damaged_pdf', async ([path = '', page = '']) => {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(readFileSync(path));
  writeFileSync('page.png', await paintPage(document, Number(page)));
  return {};
});
