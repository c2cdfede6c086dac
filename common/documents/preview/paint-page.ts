import type { PDFiumDocument } from '@hyzyla/pdfium';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import { encodePng } from './encode-png.ts';

/** 100 dots per inch; an inch has 72 points. */
const wantedScale = 100 / 72;
/** Longest side of a picture in pixels. Larger pages are scaled down to bound the memory of the picture. */
const maxSidePixels = 1_700;

/** Draws a page (from 1) as a PNG at about 100 dots per inch. Throws the fault `damaged_pdf` when there is no such page. */
export async function paintPage(document: PDFiumDocument, page: number): Promise<Buffer> {
  if (!(page >= 1 && page <= document.getPageCount())) throw new FaultInDocument('damaged_pdf', 'no such page');
  const sheet = document.getPage(page - 1);
  const { originalWidth, originalHeight } = sheet.getOriginalSize();
  const scale = Math.min(wantedScale, maxSidePixels / Math.max(originalWidth, originalHeight, 1));
  return encodePng(await sheet.render({ scale, render: 'bitmap' }));
}
