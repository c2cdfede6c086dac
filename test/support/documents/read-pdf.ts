import { readFileSync } from 'node:fs';
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';

/** A drawn page. Colours are read at fractions of its width and height, from the top left. */
export type SeenPage = {
  width: number;
  height: number;
  text: string;
  colourAt(x: number, y: number): string;
};

let library: Promise<PDFiumLibrary> | undefined;

/** Opens a PDF with an independent reader and draws its pages at 72 dots per inch. */
export async function readPages(path: string, { isDrawn = true } = {}): Promise<SeenPage[]> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(readFileSync(path));
  try {
    return await Promise.all(Array.from({ length: document.getPageCount() }, (_, i) => readPage(document, i, isDrawn)));
  } finally {
    document.destroy();
  }
}

async function readPage(document: PDFiumDocument, index: number, isDrawn: boolean): Promise<SeenPage> {
  const page = document.getPage(index);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const text = page.getText();
  const drawn = isDrawn ? await page.render({ scale: 1, render: 'bitmap' }) : null;
  // Copied, because the library frees its memory with the document.
  const pixels = drawn && { ...drawn, data: Uint8Array.from(drawn.data) };

  return {
    width: originalWidth,
    height: originalHeight,
    text,
    colourAt(x, y) {
      if (!pixels) throw new Error('The page was not drawn.');
      const column = Math.min(Math.floor(x * pixels.width), pixels.width - 1);
      const row = Math.min(Math.floor(y * pixels.height), pixels.height - 1);
      const [red = 0, green = 0, blue = 0] = pixels.data.subarray((row * pixels.width + column) * 4);
      return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    },
  };
}

/** Returns the difference of two colours in the channel that differs most, 0 to 255. */
export function colourDistance(a: string, b: string): number {
  const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [left, right] = [channels(a), channels(b)];
  return Math.max(...left.map((value, i) => Math.abs(value - (right[i] ?? 0))));
}
