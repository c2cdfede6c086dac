import { a4, pointsPerMm } from '../sheet/a4.ts';
import { type CopiedNumbers, createCopiedNumbers } from './copy-objects.ts';
import { copyPages } from './copy-pages.ts';
import type { PdfBase } from './find-base.ts';
import type { PdfSink } from './pdf-sink.ts';
import { openPdf } from './pdf-source.ts';
import { createPdfWriter, type PdfWriter, toRef } from './pdf-writer.ts';

type MergeOptions = {
  /**
   * Whether a blank A4 page follows each part with an odd number of pages, so that every part starts on the front of a
   * sheet when the file is printed on both sides.
   */
  fillsSheets?: boolean;
  /** Returns the document that a part begins with. The objects of the same document are written once. */
  findBase?: (bytes: Uint8Array) => PdfBase | null;
};

/**
 * Writes the pages of all `parts`, in order, to `sink`. Returns the number of pages. The pages of a repeated part reuse
 * the objects of its first copy. `read` is called for each part in order: one is in memory at a time when they are
 * files. Throws `FaultInDocument`.
 */
export async function mergePdfs<Part>(
  parts: readonly Part[],
  read: (part: Part, index: number) => Uint8Array,
  sink: PdfSink,
  { fillsSheets = false, findBase }: MergeOptions = {},
): Promise<number> {
  const writer = createPdfWriter(sink);
  const copied = new Map<Part | string, CopiedNumbers>();
  let pageCount = 0;
  for (const [index, part] of parts.entries()) {
    const bytes = read(part, index);
    const base = findBase?.(bytes) ?? null;
    const key = base?.key ?? part;
    const source = await openPdf(bytes);
    // The library keeps one reference object per object number, so `numbers` stay valid when a part is read again.
    const numbers = copied.get(key) ?? createCopiedNumbers();
    copied.set(key, numbers);
    copyPages(source, writer, { numbers, isFitted: true });
    if (base) forgetFrom(numbers, base.objectCount);
    pageCount += source.pages.length;
    if (fillsSheets && source.pages.length % 2 === 1) {
      addBlankPage(writer);
      pageCount += 1;
    }
  }
  writer.finish();
  return pageCount;
}

/** Removes the numbers of the objects behind the base, which differ from part to part. */
function forgetFrom(numbers: CopiedNumbers, objectCount: number): void {
  for (const ofMode of Object.values(numbers)) {
    for (const ref of ofMode.keys()) if (ref.objectNumber >= objectCount) ofMode.delete(ref);
  }
}

function addBlankPage(writer: PdfWriter): void {
  const objectNumber = writer.reserve();
  const [width, height] = [a4.widthMm, a4.heightMm].map((side) => (side * pointsPerMm).toFixed(4));
  writer.beginObject(objectNumber);
  writer.text(`<< /Type /Page /Parent ${toRef(writer.pagesNumber)} /MediaBox [0 0 ${width} ${height}]`);
  writer.text(' /Resources << >> >>');
  writer.endObject();
  writer.addPage(objectNumber);
}
