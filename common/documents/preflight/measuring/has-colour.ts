import type { RawPdfium } from '#common/documents/pdfium/raw-pdfium.ts';
import { drawGrey } from './draw-grey.ts';
import type { PageGeometry } from './page-geometry.ts';

/** 25 dots per inch: a coloured line of 0.1 mm still tints its pixels. */
const pixelsPerMm = 1;
/** Levels of 255 between the channels of a pixel that is not grey. Grey photos vary by less. */
const leastDifference = 20;

/** Returns whether a loaded page shows colours as printed. */
export function hasColour(pdfium: RawPdfium, page: number, geometry: PageGeometry): boolean {
  const part = { x: 0, y: 0, width: geometry.widthMm, height: geometry.heightMm };
  const drawn = { part, pixelsPerMm, kind: 'colour' } as const;
  return drawGrey(pdfium, page, geometry, drawn, ({ pixels, stride, width, height }) => {
    for (let y = 0; y < height; y += 1) {
      for (let at = y * stride; at < y * stride + width * 4; at += 4) {
        const [blue = 0, green = 0, red = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
        if (Math.max(blue, green, red) - Math.min(blue, green, red) >= leastDifference) return true;
      }
    }
    return false;
  });
}
