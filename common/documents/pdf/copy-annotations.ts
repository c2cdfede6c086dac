import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import type { ObjectCopier } from './copy-objects.ts';
import { isExcluded } from './copy-rules.ts';
import { type FittedPage, placeAnnotation } from './fitting/place-annotation.ts';
import { readNumbers, toSides } from './fitting/source-geometry.ts';
import { writeSides, writeWrapper } from './fitting/write-fitted.ts';
import { isEntryUndrawn, readInherited } from './is-entry-undrawn.ts';
import type { PdfSource, SourcePage } from './pdf-source.ts';
import type { PdfWriter } from './pdf-writer.ts';

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

type AnnotationWork = {
  writer: PdfWriter;
  copier: ObjectCopier;
  isDrawnByViewer: boolean;
  hiddenLayers: ReadonlySet<PDFRef>;
  /** Null when the page stays as it is. */
  fitted: FittedPage | null;
};

/**
 * Writes each printable annotation as a plain stamp with the same appearance. A completed form field or a seal stays
 * visible but loses its actions. Throws the fault `undrawn_field` for a completed form field that would be printed empty,
 * and `undrawn_mark` for a mark that only PDF viewers draw. Any other annotation without an appearance is skipped.
 */
export function copyAnnotations(
  page: SourcePage,
  source: PdfSource,
  { writer, copier, isDrawnByViewer, hiddenLayers, fitted }: AnnotationWork,
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

    const look = findLook(annotation, { rect, appearance, fitted, writer, copier, source });
    if (!look) return [];

    const objectNumber = writer.reserve();
    const layer = group && resolve(group) instanceof PDFDict ? ` /OC ${copier.refTo(group)}` : '';
    writer.beginObject(objectNumber);
    writer.text(`<< /Type /Annot /Subtype /Stamp /F ${look.flags} /Rect [${look.rect}]${layer}`);
    writer.text(` /AP << /N ${look.ref} >> >>`);
    writer.endObject();
    return [objectNumber];
  });
}

type LookWork = Pick<AnnotationWork, 'fitted' | 'writer' | 'copier'> & {
  rect: readonly PDFNumber[];
  appearance: PDFRef;
  source: PdfSource;
};

/** Returns what draws an annotation, and where; null when nothing of it was visible on the page that is fitted. */
function findLook(
  annotation: PDFDict,
  { rect, appearance, fitted, writer, copier, source }: LookWork,
): { rect: string; flags: number; ref: string } | null {
  const uprightFlag = readFlags(annotation, source.resolve) & noRotateFlag;
  const ref = copier.refTo(appearance);
  const sides = fitted && toSides(rect);
  if (!sides) return { rect: rect.join(' '), flags: printFlag | uprightFlag, ref };
  const placed = placeAnnotation({ rect: sides, appearance, isUpright: uprightFlag !== 0 }, fitted, source.resolve);
  if (!placed) return null;
  const { wrapper } = placed;
  return { rect: writeSides(placed.rect), flags: printFlag, ref: wrapper ? writeWrapper(writer, wrapper, ref) : ref };
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

function hasArea(rect: readonly PDFNumber[]): boolean {
  const [left, bottom, right, top] = rect.map((side) => side.asNumber());
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
