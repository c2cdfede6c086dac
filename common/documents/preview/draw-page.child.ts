import { readFileSync, writeFileSync } from 'node:fs';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { childMain, FaultInDocument } from '../isolation/child-main.ts';
import { encodePng } from './encode-png.ts';

/** 100 dots per inch; an inch has 72 points. */
const wantedScale = 100 / 72;
/** Longest side of a picture in pixels. Larger pages are scaled down to bound the memory of the picture. */
const maxSidePixels = 1_700;

/** Draws a page of a PDF: `draw-page.child.ts <file> <page>` writes `page.png` to its folder. */
await childMain('damaged_pdf', async ([path = '', page = '']) => {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(readFileSync(path));
  const number = Number(page);
  if (!(number >= 1 && number <= document.getPageCount())) throw new FaultInDocument('damaged_pdf', 'no such page');
  const sheet = document.getPage(number - 1);
  const { originalWidth, originalHeight } = sheet.getOriginalSize();
  const scale = Math.min(wantedScale, maxSidePixels / Math.max(originalWidth, originalHeight, 1));
  const drawn = await sheet.render({ scale, render: 'bitmap' });
  writeFileSync('page.png', encodePng(drawn));
  return { width: drawn.width, height: drawn.height };
});
