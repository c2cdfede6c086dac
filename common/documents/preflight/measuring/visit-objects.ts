import type { RawPdfium, Scratch } from '#common/documents/pdfium/raw-pdfium.ts';
import type { BoxMm } from '#common/documents/sheet/a4.ts';
import { type Matrix, multiply } from '#common/documents/sheet/matrix.ts';
import { boxBetween, transformBox } from './page-geometry.ts';

/** Objects that are looked at per page. A page of dense text has 5,000. */
const maxObjects = 20_000;
/** Forms within forms. */
const maxDepth = 24;
/** Annotations that are looked at per page. */
const maxAnnotations = 2_000;

/** FPDF_PAGEOBJ_TEXT, _IMAGE and _FORM. */
const kinds = { text: 1, image: 3, form: 5 } as const;

/** An object of a page. `matrix` leads from its own coordinates to millimetres on the page. */
export type VisitedObject = {
  kind: 'text' | 'image';
  object: number;
  matrix: Matrix;
  /** The annotation that contains it. PDFium does not tell where in it the object is. */
  annotationBox: BoxMm | null;
};

/**
 * Passes each text and image of a loaded page to `visit`, also those in forms and annotations, and those that are not
 * drawn. Returns whether all were visited: the number of objects and the depth of forms are bounded. Does not visit
 * tiling patterns and drawn glyphs, which PDFium does not list.
 */
export function visitObjects(
  pdfium: RawPdfium,
  page: number,
  { toMm, scratch }: { toMm: Matrix; scratch: Scratch },
  visit: (visited: VisitedObject) => void,
): boolean {
  let left = maxObjects;
  let isComplete = true;
  type Place = { matrix: Matrix; annotationBox: BoxMm | null; depth: number };

  function visitAll(count: number, get: (index: number) => number, place: Place): void {
    for (let i = 0; i < count; i += 1) {
      left -= 1;
      if (left < 0) {
        isComplete = false;
        return;
      }
      visitOne(get(i), place);
    }
  }
  function visitOne(object: number, place: Place): void {
    const kind = object === 0 ? 0 : pdfium._FPDFPageObj_GetType(object);
    if (kind === kinds.text) visit({ kind: 'text', object, ...place });
    if (kind === kinds.image) visit({ kind: 'image', object, ...place });
    if (kind !== kinds.form) return;
    if (place.depth >= maxDepth) isComplete = false;
    const inner = place.depth >= maxDepth ? null : readMatrix(pdfium, object, scratch);
    if (!inner) return;
    const get = (index: number) => pdfium._FPDFFormObj_GetObject(object, index);
    const matrix = multiply(inner, place.matrix);
    visitAll(pdfium._FPDFFormObj_CountObjects(object), get, { ...place, matrix, depth: place.depth + 1 });
  }
  function visitAnnotation(annotation: number): void {
    const { address } = scratch;
    if (!pdfium._FPDFAnnot_GetRect(annotation, address)) return;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = scratch.floats(4);
    const annotationBox = transformBox(toMm, boxBetween(x1, y1, x2, y2));
    const get = (index: number) => pdfium._FPDFAnnot_GetObject(annotation, index);
    if (!annotationBox) return;
    visitAll(pdfium._FPDFAnnot_GetObjectCount(annotation), get, { matrix: toMm, annotationBox, depth: 0 });
  }

  const get = (index: number) => pdfium._FPDFPage_GetObject(page, index);
  visitAll(pdfium._FPDFPage_CountObjects(page), get, { matrix: toMm, annotationBox: null, depth: 0 });
  const annotationCount = pdfium._FPDFPage_GetAnnotCount(page);
  for (let i = 0; i < Math.min(annotationCount, maxAnnotations); i += 1) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    visitAnnotation(annotation);
    pdfium._FPDFPage_CloseAnnot(annotation);
  }
  return isComplete && annotationCount <= maxAnnotations;
}

/** Returns the matrix of an object; null when it has none. */
export function readMatrix(pdfium: RawPdfium, object: number, scratch: Scratch): Matrix | null {
  if (!pdfium._FPDFPageObj_GetMatrix(object, scratch.address)) return null;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = scratch.floats(6);
  return [a, b, c, d, e, f];
}
