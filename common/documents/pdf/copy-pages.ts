import { PDFDict, type PDFObject } from '@cantoo/pdf-lib';
import { copyAnnotations } from './copy-annotations.ts';
import { type CopiedNumbers, createObjectCopier, type ObjectCopier } from './copy-objects.ts';
import { findLayers } from './find-layers.ts';
import { fitToA4, type Placing } from './fitting/fit-to-a4.ts';
import type { FittedPage } from './fitting/place-annotation.ts';
import { readSourceGeometry, writeGeometry } from './fitting/source-geometry.ts';
import { createPlacementWriter, writeContents, writeFittedGeometry } from './fitting/write-fitted.ts';
import { needsAppearances } from './is-entry-undrawn.ts';
import { checkContents, type PdfSource, type SourcePage } from './pdf-source.ts';
import { type PdfWriter, toRef } from './pdf-writer.ts';
import { readNotes, type SourceNote, writeNotes } from './source-notes.ts';

/** How the pages of a document are copied. */
type CopyOptions = {
  /** Of an earlier copy of the same source, whose objects are reused. */
  numbers?: CopiedNumbers;
  /** Whether the pages were fitted to A4 before. Otherwise they are now. */
  isFitted: boolean;
  /** About the document, for its first page. Pages that were fitted before keep theirs. */
  notes?: readonly SourceNote[];
};

/**
 * Appends every page of `source` to the document of `writer`. A page keeps its content, resources (with unchanged
 * fonts) and the appearance of printable annotations. Scripts, actions, forms, attachments and outlines are not copied.
 * Objects shared by pages are written once.
 */
export function copyPages(source: PdfSource, writer: PdfWriter, { numbers, isFitted, notes = [] }: CopyOptions): void {
  const copier = createObjectCopier(source, writer, numbers);
  const isDrawnByViewer = needsAppearances(source);
  const layers = findLayers(source);
  const hiddenLayers = new Set(layers.filter(({ isHidden }) => isHidden).map(({ group }) => group));
  const writePlacement = createPlacementWriter(writer);

  for (const [index, page] of source.pages.entries()) {
    const fitted = isFitted ? null : fitPage(page, source);
    const placing = fitted?.fit.placing ?? null;
    const stamps = copyAnnotations(page, source, { writer, copier, isDrawnByViewer, hiddenLayers, fitted });
    const contents = checkContents(page, source.resolve);
    const front = contents && placing ? writePlacement(placing) : null;
    const objectNumber = writer.reserve();
    writer.beginObject(objectNumber);
    writer.text(`<< /Type /Page /Parent ${toRef(writer.pagesNumber)}`);
    writer.text(
      fitted ? writeFittedGeometry(page, source, fitted.fit) : writeGeometry(page, source, { keepsNote: isFitted }),
    );
    writer.text(writeNotes(isFitted ? readNotes(page, source) : index === 0 ? notes : []));
    const resources = page.get('Resources');
    writer.text(` /Resources ${resources ? refToResources(resources, copier, placing) : '<< >>'}`);
    if (contents && front) writer.text(` /Contents ${writeContents(contents, front, { source, copier })}`);
    else if (contents) writer.text(` /Contents ${copier.refTo(contents)}`);
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

/** Returns how a page changes; null when it stays as it is. */
function fitPage(page: SourcePage, source: PdfSource): FittedPage | null {
  const geometry = readSourceGeometry(page, source);
  const fit = geometry && fitToA4(geometry);
  return geometry && fit && { geometry, fit };
}

function refToResources(resources: PDFObject, copier: ObjectCopier, placing: Placing | null): string {
  return placing ? copier.refToPlaced(resources, placing) : copier.refTo(resources, 'resources');
}
