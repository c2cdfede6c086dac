import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import { type CopiedNumbers, createObjectCopier, type ObjectCopier } from './copy-objects.ts';
import { isExcluded } from './copy-rules.ts';
import { findLayers } from './find-layers.ts';
import { isEntryUndrawn, needsAppearances, readInherited } from './is-entry-undrawn.ts';
import { checkContents, type PdfSource, type SourcePage } from './pdf-source.ts';
import { type PdfWriter, toRef } from './pdf-writer.ts';

/** The size that PDF readers assume when a page has none: US Letter. */
const defaultMediaBox = '[0 0 612 792]';
const boxes = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'] as const;

/** Annotation types that leave no ink on paper: links, pop-ups, attachments, sound, film, 3D. */
const unprintedKinds = ['Link', 'Popup', 'FileAttachment', 'Sound', 'Movie', 'Screen', 'RichMedia', '3D', 'TrapNet'];
/** Annotation types that PDF viewers draw on paper, also without an appearance (ISO 32000-1, 12.5.6). */
const marks = [
  'Text',
  'FreeText',
  'Line',
  'Square',
  'Circle',
  'Polygon',
  'PolyLine',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Stamp',
  'Caret',
  'Ink',
];
const hiddenFlag = 2;
const printFlag = 4;
/** The annotation stays upright on a rotated page, as notes do. */
const noRotateFlag = 16;

/**
 * Appends every page of `source` to the document of `writer`. A page keeps its content, resources (with unchanged
 * fonts), boxes, rotation and the appearance of printable annotations. Scripts, actions, forms, attachments and
 * outlines are not copied. Objects shared by pages are written once. `numbers` of an earlier copy of the same source
 * are reused.
 */
export function copyPages(source: PdfSource, writer: PdfWriter, numbers?: CopiedNumbers): void {
  const copier = createObjectCopier(source, writer, numbers);
  const isDrawnByViewer = needsAppearances(source);
  const layers = findLayers(source);
  const hiddenLayers = new Set(layers.filter(({ isHidden }) => isHidden).map(({ group }) => group));

  for (const page of source.pages) {
    const stamps = copyAnnotations(page, source, { writer, copier, isDrawnByViewer, hiddenLayers });
    const objectNumber = writer.reserve();
    writer.beginObject(objectNumber);
    writer.text(`<< /Type /Page /Parent ${toRef(writer.pagesNumber)}${geometry(page, source)}`);
    const resources = page.get('Resources');
    writer.text(` /Resources ${resources ? copier.refTo(resources, 'resources') : '<< >>'}`);
    const contents = checkContents(page, source.resolve);
    if (contents) writer.text(` /Contents ${copier.refTo(contents)}`);
    const group = page.get('Group');
    if (group && source.resolve(group) instanceof PDFDict) writer.text(` /Group ${copier.refTo(group)}`);
    if (stamps.length > 0) writer.text(` /Annots [${stamps.map(toRef).join(' ')}]`);
    writer.text(' >>');
    writer.endObject();
    writer.addPage(objectNumber);
    copier.writePending();
  }

  for (const layer of layers) {
    for (const objectNumber of copier.copiedNumbers(layer.group)) {
      writer.addLayer({ objectNumber, isHidden: layer.isHidden });
    }
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

type AnnotationWork = {
  writer: PdfWriter;
  copier: ObjectCopier;
  isDrawnByViewer: boolean;
  hiddenLayers: ReadonlySet<PDFRef>;
};

/**
 * Writes each printable annotation as a plain stamp with the same appearance. A completed form field or a seal stays
 * visible but loses its actions. Throws the fault `undrawn_field` for a completed form field that would be printed empty,
 * and `undrawn_mark` for a mark that only PDF viewers draw. Any other annotation without an appearance is skipped.
 */
function copyAnnotations(
  page: SourcePage,
  source: PdfSource,
  { writer, copier, isDrawnByViewer, hiddenLayers }: AnnotationWork,
): number[] {
  const { resolve } = source;
  const annotations = resolve(page.get('Annots'));
  if (!(annotations instanceof PDFArray)) return [];

  return annotations.asArray().flatMap((entry) => {
    const annotation = resolve(entry);
    if (!(annotation instanceof PDFDict) || !isPrinted(annotation, resolve)) return [];
    const appearance = findAppearance(annotation, source);
    const rect = readNumbers(annotation.get(PDFName.of('Rect')), 4, resolve);
    const kind = readKind(annotation, resolve);
    const group = annotation.get(PDFName.of('OC'));
    const isShown = rect !== null && hasArea(rect) && !isHidden(group, hiddenLayers, resolve);
    if (isShown && kind === 'Widget' && isEntryUndrawn(annotation, appearance, resolve, isDrawnByViewer)) {
      throw new FaultInDocument('undrawn_field');
    }
    // A reply to another comment is shown only beside the page.
    const isReply = annotation.has(PDFName.of('IRT'));
    if (isShown && !appearance && !isReply && marks.includes(kind)) throw new FaultInDocument('undrawn_mark', kind);
    if (!appearance || !rect) return [];

    const objectNumber = writer.reserve();
    const layer = group && resolve(group) instanceof PDFDict ? ` /OC ${copier.refTo(group)}` : '';
    writer.beginObject(objectNumber);
    const flags = printFlag | (readFlags(annotation, resolve) & noRotateFlag);
    writer.text(`<< /Type /Annot /Subtype /Stamp /F ${flags} /Rect [${rect.join(' ')}]${layer}`);
    writer.text(` /AP << /N ${copier.refTo(appearance)} >> >>`);
    writer.endObject();
    return [objectNumber];
  });
}

/** A combination of layers (OCMD) shows what any of them shows, unless it says otherwise. */
function isHidden(
  group: PDFObject | undefined,
  hiddenLayers: ReadonlySet<PDFRef>,
  resolve: PdfSource['resolve'],
): boolean {
  if (group instanceof PDFRef && hiddenLayers.has(group)) return true;
  const combination = resolve(group);
  const layers = combination instanceof PDFDict ? combination.get(PDFName.of('OCGs')) : undefined;
  const resolved = resolve(layers);
  const refs = resolved instanceof PDFArray ? resolved.asArray() : layers instanceof PDFRef ? [layers] : [];
  return refs.length > 0 && refs.every((ref) => ref instanceof PDFRef && hiddenLayers.has(ref));
}

function hasArea([left, bottom, right, top]: readonly string[]): boolean {
  return left !== right && bottom !== top;
}

function isPrinted(annotation: PDFDict, resolve: PdfSource['resolve']): boolean {
  const flags = readFlags(annotation, resolve);
  if (unprintedKinds.includes(readKind(annotation, resolve))) return false;
  return (flags & printFlag) !== 0 && (flags & hiddenFlag) === 0;
}

function readKind(annotation: PDFDict, resolve: PdfSource['resolve']): string {
  const kind = resolve(annotation.get(PDFName.of('Subtype')));
  return kind instanceof PDFName ? kind.decodeText() : '';
}

function readFlags(annotation: PDFDict, resolve: PdfSource['resolve']): number {
  const flags = resolve(annotation.get(PDFName.of('F')));
  return flags instanceof PDFNumber ? flags.asNumber() : 0;
}

/**
 * Returns the stream that draws an annotation: its normal appearance, in the current state if it has several. Without a
 * state, a box has that of its value, as PDF viewers assume. Null also for a stream that is never copied.
 */
function findAppearance(annotation: PDFDict, source: PdfSource): PDFRef | null {
  const { resolve } = source;
  const appearances = resolve(annotation.get(PDFName.of('AP')));
  if (!(appearances instanceof PDFDict)) return null;
  let appearance = appearances.get(PDFName.of('N'));
  const states = resolve(appearance);
  if (states instanceof PDFDict) {
    const state = resolve(annotation.get(PDFName.of('AS'))) ?? readInherited(annotation, 'V', resolve);
    appearance = state instanceof PDFName ? (states.get(state) ?? states.get(PDFName.of('Off'))) : undefined;
  }
  const stream = resolve(appearance);
  const isCopied = stream instanceof PDFStream && !isExcluded(stream, 'plain', source);
  return appearance instanceof PDFRef && isCopied ? appearance : null;
}
