import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cropPage } from '../documents/addressing/compare-pages.ts';
import { readDataMatrix } from '../documents/addressing/read-sheet-mark.ts';
import { drawGrey, type GreyPage } from '../documents/draw-grey.ts';
import { readPages } from '../documents/read-pdf.ts';

/** Returns the text of each page of a paper, without line breaks. */
export async function textsOf(pdf: Buffer, folder: string): Promise<string[]> {
  const path = join(folder, 'paper.pdf');
  await writeFile(path, pdf);
  const pages = await readPages(path, { isDrawn: false });
  for (const { width, height } of pages) {
    if (Math.abs(width - 595.28) > 0.1 || Math.abs(height - 841.89) > 0.1) throw new Error('A page is not upright A4.');
  }
  return pages.map(({ text }) => text.replaceAll(/\s+/g, ' '));
}

/** Reads the data matrix at the top right of the first page. */
export async function readPaperMatrix(pdf: Buffer): Promise<string | null> {
  const dotsPerInch = 150;
  const [page] = await drawGrey(pdf, dotsPerInch, { from: 1, to: 1 });
  return await readDataMatrix(cropPage(page as GreyPage, { x: 160, y: 10, width: 45, height: 35 }, dotsPerInch));
}

/** Returns whether the edges of each page, 10 mm wide, are blank: no printer prints there. */
export async function areEdgesBlank(pdf: Buffer): Promise<boolean> {
  const dotsPerInch = 50;
  const edge = Math.floor((10 / 25.4) * dotsPerInch);
  return (await drawGrey(pdf, dotsPerInch)).every(({ width, height, pixels }) =>
    pixels.every((level, at) => {
      const [column, row] = [at % width, Math.floor(at / width)];
      // The foot of the page is 9 mm from its end.
      const isEdge = column < edge || column >= width - edge || row < edge || row >= height - edge * 0.7;
      return !isEdge || level === 255;
    }),
  );
}
