import type { RawPdfium } from '#common/documents/pdfium/raw-pdfium.ts';
import type { BoxMm } from '#common/documents/sheet/a4.ts';
import type { PageGeometry } from './page-geometry.ts';

/**
 * Pixels of a part of a page, a byte each, from black (0) to white (255), or in colour four: blue, green, red and one
 * without meaning. Valid until the next call of PDFium.
 */
export type GreyDrawing = {
  pixels: Uint8Array;
  /** Bytes from one row to the next. */
  stride: number;
  width: number;
  height: number;
  /** Of the top left pixel, counted in pixels from the top left of the page. */
  left: number;
  top: number;
  /** Pixels per millimetre, to the right and down. They differ a little: a page has a whole number of pixels. */
  scaleX: number;
  scaleY: number;
};

/** FPDFBitmap_Gray and FPDFBitmap_BGRx. */
const formats = { grey: 1, colour: 3 };
const white = 0xffffffff;
/** FPDF_ANNOT and FPDF_PRINTING, with the annotations that are printed; FPDF_GRAYSCALE. */
const renderFlags = { grey: 0x01 | 0x800 | 0x08, colour: 0x01 | 0x800 };
/** PDFium counts pixels in 32 bits, and the page is placed around the part that is drawn. */
const maxPagePixels = 1_000_000;
/** Most pixels of a drawing. */
export const maxDrawingPixels = 4_000_000;

/**
 * Draws a part of a page at about `pixelsPerMm`, or less when that needs more than `maxDrawingPixels`, and passes the
 * drawing to `look`. The memory of the drawing is released afterwards.
 */
export function drawGrey<T>(
  pdfium: RawPdfium,
  page: number,
  { widthMm, heightMm }: PageGeometry,
  { part, pixelsPerMm, kind = 'grey' }: { part: BoxMm; pixelsPerMm: number; kind?: keyof typeof formats },
  look: (drawing: GreyDrawing) => T,
): T {
  const affordable = Math.min(
    pixelsPerMm,
    Math.sqrt(maxDrawingPixels / (part.width * part.height)),
    maxDrawingPixels / 4 / Math.max(part.width, part.height),
    maxPagePixels / Math.max(widthMm, heightMm),
  );
  const pageWidth = Math.max(1, Math.round(widthMm * affordable));
  const pageHeight = Math.max(1, Math.round(heightMm * affordable));
  const [scaleX, scaleY] = [pageWidth / widthMm, pageHeight / heightMm];
  const left = Math.max(0, Math.floor(part.x * scaleX));
  const top = Math.max(0, Math.floor(part.y * scaleY));
  const width = Math.max(1, Math.min(pageWidth, Math.ceil((part.x + part.width) * scaleX)) - left);
  const height = Math.max(1, Math.min(pageHeight, Math.ceil((part.y + part.height) * scaleY)) - top);

  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, formats[kind], 0, 0);
  if (bitmap === 0) throw new RangeError('The drawing does not fit into memory.');
  try {
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, -left, -top, pageWidth, pageHeight, 0, renderFlags[kind]);
    const address = pdfium._FPDFBitmap_GetBuffer(bitmap);
    const stride = pdfium._FPDFBitmap_GetStride(bitmap);
    const pixels = pdfium.HEAPU8.subarray(address, address + stride * height);
    return look({ pixels, stride, width, height, left, top, scaleX, scaleY });
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap);
  }
}
