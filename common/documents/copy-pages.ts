import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { createObjectCopier, type ObjectCopier } from './copy-objects.ts';
import { findLayers } from './find-layers.ts';
import { contentRefs, type PdfSource, type SourcePage } from './pdf-source.ts';
import { type PdfWriter, toRef } from './pdf-writer.ts';

/** What a reader assumes for a page without a size: letter paper. */
const defaultMediaBox = '[0 0 612 792]';
const boxes = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'] as const;

/** Kinds of annotation that are not ink on paper: links, notes' windows, attachments, sound, film, 3D. */
const notPrinted = ['Link', 'Popup', 'FileAttachment', 'Sound', 'Movie', 'Screen', 'RichMedia', '3D', 'TrapNet'];
const hiddenFlag = 2;
const printFlag = 4;

/**
 * Rebuilds every page of `source` at the end of `writer`'s document. A page keeps its content, resources (fonts as they
 * are), boxes, rotation and the look of printable annotations; scripts, actions, forms, attachments and outlines have
 * no way over.
 */
export function copyPages(source: PdfSource, writer: PdfWriter): void {
  const copier = createObjectCopier(source, writer);

  for (const page of source.pages) {
    const stamps = copyAnnotations(page, source, writer, copier);
    const objectNumber = writer.reserve();
    writer.beginObject(objectNumber);
    writer.text(`<< /Type /Page /Parent ${toRef(writer.pagesNumber)}${geometry(page, source)} /Resources `);
    const resources = page.get('Resources');
    if (resources) copier.write(resources, 'resources');
    else writer.text('<< >>');
    writer.text(` /Contents [${contentRefs(page, source.resolve).map(copier.refTo).join(' ')}]`);
    const group = source.resolve(page.get('Group'));
    if (group instanceof PDFDict) {
      writer.text(' /Group ');
      copier.write(group, 'plain');
    }
    if (stamps.length > 0) writer.text(` /Annots [${stamps.map(toRef).join(' ')}]`);
    writer.text(' >>');
    writer.endObject();
    writer.addPage(objectNumber);
    copier.writeWaiting();
  }

  for (const layer of findLayers(source)) {
    const objectNumber = copier.copiedNumber(layer.group);
    if (objectNumber !== undefined) writer.addLayer({ objectNumber, isHidden: layer.isHidden });
  }
}

function geometry(page: SourcePage, { resolve }: PdfSource): string {
  let words = '';
  for (const box of boxes) {
    const sides = readNumbers(page.get(box), 4, resolve);
    if (sides) words += ` /${box} [${sides.join(' ')}]`;
    else if (box === 'MediaBox') words += ` /MediaBox ${defaultMediaBox}`;
  }
  for (const key of ['Rotate', 'UserUnit']) {
    const value = resolve(page.get(key));
    if (value instanceof PDFNumber) words += ` /${key} ${value}`;
  }
  return words;
}

function readNumbers(object: PDFObject | undefined, count: number, resolve: PdfSource['resolve']): string[] | null {
  const array = resolve(object);
  if (!(array instanceof PDFArray) || array.size() !== count) return null;
  const numbers = array.asArray().map(resolve);
  return numbers.every((number) => number instanceof PDFNumber) ? numbers.map(String) : null;
}

/**
 * Writes each annotation that prints as a plain stamp with the same look: a filled-in form field or a seal stays
 * visible, whatever it could do is gone. One without a look of its own draws nothing.
 */
function copyAnnotations(page: SourcePage, { resolve }: PdfSource, writer: PdfWriter, copier: ObjectCopier): number[] {
  const annotations = resolve(page.get('Annots'));
  if (!(annotations instanceof PDFArray)) return [];

  return annotations.asArray().flatMap((entry) => {
    const annotation = resolve(entry);
    if (!(annotation instanceof PDFDict) || !isPrinted(annotation, resolve)) return [];
    const look = findLook(annotation, resolve);
    const rect = readNumbers(annotation.get(PDFName.of('Rect')), 4, resolve);
    if (!look || !rect) return [];

    const objectNumber = writer.reserve();
    const group = annotation.get(PDFName.of('OC'));
    const layer = group instanceof PDFRef ? ` /OC ${copier.refTo(group)}` : '';
    writer.beginObject(objectNumber);
    writer.text(`<< /Type /Annot /Subtype /Stamp /F ${printFlag} /Rect [${rect.join(' ')}]${layer}`);
    writer.text(` /AP << /N ${copier.refTo(look)} >> >>`);
    writer.endObject();
    return [objectNumber];
  });
}

function isPrinted(annotation: PDFDict, resolve: PdfSource['resolve']): boolean {
  const flags = resolve(annotation.get(PDFName.of('F')));
  const bits = flags instanceof PDFNumber ? flags.asNumber() : 0;
  const kind = resolve(annotation.get(PDFName.of('Subtype')));
  if (kind instanceof PDFName && notPrinted.includes(kind.decodeText())) return false;
  return (bits & printFlag) !== 0 && (bits & hiddenFlag) === 0;
}

/** The stream that draws an annotation: its normal appearance, in its present state when it has several. */
function findLook(annotation: PDFDict, resolve: PdfSource['resolve']): PDFRef | null {
  const appearances = resolve(annotation.get(PDFName.of('AP')));
  if (!(appearances instanceof PDFDict)) return null;
  let look = appearances.get(PDFName.of('N'));
  const states = resolve(look);
  if (states instanceof PDFDict) {
    const state = resolve(annotation.get(PDFName.of('AS')));
    look = state instanceof PDFName ? states.get(state) : undefined;
  }
  return look instanceof PDFRef && resolve(look) instanceof PDFStream ? look : null;
}
