import { PDFArray, PDFNull, type PDFObject } from '@cantoo/pdf-lib';
import type { ObjectCopier } from '../copy-objects.ts';
import type { PdfSource, SourcePage } from '../pdf-source.ts';
import { type PdfWriter, toRef } from '../pdf-writer.ts';
import { type Fit, type Placing, type Sides, toPdfNumber } from './fit-to-a4.ts';
import type { PlacedAnnotation } from './place-annotation.ts';
import { writeGeometry } from './source-geometry.ts';

/** Returns the entries about size and rotation of a page that was fitted, and about how. */
export function writeFittedGeometry(page: SourcePage, source: PdfSource, { rotation, placing, note }: Fit): string {
  const words = placing
    ? ` /MediaBox [0 0 ${toPdfNumber(placing.sheet.width)} ${toPdfNumber(placing.sheet.height)}]`
    : writeGeometry(page, source, { omits: 'Rotate' });
  const fitted = note
    ? ` /BJ_Fitted [${toPdfNumber(note.widthMm, 2)} ${toPdfNumber(note.heightMm, 2)} ${note.turnedDegrees} ${toPdfNumber(note.scalePercent, 1)}]`
    : '';
  return `${words} /Rotate ${rotation}${fitted}`;
}

/** Writes what comes in front of the content of placed pages. Pages of the same size and place share it. */
export function createPlacementWriter(writer: PdfWriter): (placing: Placing) => string {
  const known = new Map<string, number>();
  return ({ scale, dx, dy, clip }) => {
    const matrix = `${toPdfNumber(scale, 8)} 0 0 ${toPdfNumber(scale, 8)} ${toPdfNumber(dx)} ${toPdfNumber(dy)}`;
    const sides = [clip.left, clip.bottom, clip.right - clip.left, clip.top - clip.bottom];
    // Not in `q` and `Q`: content with more `Q` than `q` would end it.
    const content = `${matrix} cm ${sides.map((side) => toPdfNumber(side)).join(' ')} re W n\n`;
    const objectNumber = known.get(content) ?? writer.reserve();
    if (!known.has(content)) writer.stream(objectNumber, '', [toBytes(content)]);
    known.set(content, objectNumber);
    return toRef(objectNumber);
  };
}

/** Returns the content entry of a page with a stream in front. */
export function writeContents(
  contents: PDFObject,
  front: string,
  { source, copier }: { source: PdfSource; copier: ObjectCopier },
): string {
  const resolved = source.resolve(contents);
  const streams = resolved instanceof PDFArray ? resolved.asArray().filter((part) => part !== PDFNull) : [contents];
  return `[${[front, ...streams.map((stream) => copier.refTo(stream))].join(' ')}]`;
}

/** Writes the form that draws an appearance in its place, and returns a reference to it. */
export function writeWrapper(
  writer: PdfWriter,
  { box, content }: NonNullable<PlacedAnnotation['wrapper']>,
  appearance: string,
): string {
  const objectNumber = writer.reserve();
  const entries = `/Type /XObject /Subtype /Form /BBox [${writeSides(box)}] /Resources << /XObject << /Look ${appearance} >> >>`;
  writer.stream(objectNumber, entries, [toBytes(content)]);
  return toRef(objectNumber);
}

export function writeSides({ left, bottom, right, top }: Sides): string {
  return [left, bottom, right, top].map((side) => toPdfNumber(side)).join(' ');
}

/** Without `Buffer`, which the scripts of warm processes do not have. The text is ASCII. */
function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
