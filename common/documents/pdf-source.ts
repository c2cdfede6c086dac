import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFParser,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib';
import { FaultInDocument } from './child-main.ts';

/** The most pages one mail job may have, and so one file. */
export const maxPages = 2000;
const maxTreeNodes = 20_000;
const maxTreeDepth = 500;
const maxRefHops = 16;

const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((key) => PDFName.of(key));
const kidsKey = PDFName.of('Kids');

/** A page with what it inherits from the nodes above it already filled in. */
export type SourcePage = { get(key: string): PDFObject | undefined };

/** An opened document: its pages in order, and the objects that make up its frame, which are never copied. */
export type PdfSource = {
  pages: readonly SourcePage[];
  catalog: PDFDict;
  frame: ReadonlySet<PDFObject>;
  /** Follows references to the object itself; undefined when there is none. */
  resolve(object: PDFObject | undefined): PDFObject | undefined;
};

/** Parses a whole PDF. Throws `FaultInDocument`: `locked`, `damaged_pdf`, `endless_pages`, `too_many_pages`. */
export async function openPdf(bytes: Uint8Array): Promise<PdfSource> {
  const context = await parse(bytes);
  const resolve = (object: PDFObject | undefined) => resolveIn(context, object);

  const catalog = resolve(context.trailerInfo.Root);
  if (!(catalog instanceof PDFDict)) throw new FaultInDocument('damaged_pdf', 'no catalog');
  const frame = new Set<PDFObject>([catalog]);
  const pages = collectPages(resolve(catalog.get(PDFName.of('Pages'))), resolve, frame);
  if (pages.length === 0) throw new FaultInDocument('damaged_pdf', 'no pages');

  return { pages, catalog, frame, resolve };
}

async function parse(bytes: Uint8Array): Promise<PDFContext> {
  const parser = PDFParser.forBytesWithOptions(bytes, Number.POSITIVE_INFINITY);
  const context = await parser.parseDocument();
  // Restrictions without a password count too: we could not lift them rightfully.
  if (context.trailerInfo.Encrypt) throw new FaultInDocument('locked');
  return context;
}

function resolveIn(context: PDFContext, object: PDFObject | undefined): PDFObject | undefined {
  let found = object;
  for (let hops = 0; found instanceof PDFRef; hops += 1) {
    if (hops === maxRefHops) return undefined;
    found = context.lookup(found);
  }
  if (found instanceof PDFInvalidObject) throw new FaultInDocument('damaged_pdf', 'an object that cannot be read');
  return found;
}

type Resolve = PdfSource['resolve'];

/** Walks the tree in order. A node that is its own ancestor, a tree too deep or too large ends the walk. */
function collectPages(root: PDFObject | undefined, resolve: Resolve, frame: Set<PDFObject>): SourcePage[] {
  const pages: SourcePage[] = [];
  const ancestors = new Set<PDFObject>();
  let visited = 0;

  function visit(node: PDFObject | undefined, inherited: ReadonlyMap<PDFName, PDFObject>): void {
    if (!(node instanceof PDFDict)) throw new FaultInDocument('damaged_pdf', 'a page is missing');
    visited += 1;
    if (ancestors.has(node) || visited > maxTreeNodes || ancestors.size > maxTreeDepth) {
      throw new FaultInDocument('endless_pages');
    }
    frame.add(node);

    const own = new Map(inherited);
    for (const key of inheritable) {
      const value = node.get(key);
      if (value) own.set(key, value);
    }
    const kids = resolve(node.get(kidsKey));
    if (!(kids instanceof PDFArray)) {
      if (pages.length === maxPages) throw new FaultInDocument('too_many_pages');
      pages.push({ get: (key) => own.get(PDFName.of(key)) ?? node.get(PDFName.of(key)) });
      return;
    }
    ancestors.add(node);
    for (let i = 0; i < kids.size(); i += 1) visit(resolve(kids.get(i)), own);
    ancestors.delete(node);
  }

  visit(root, new Map());
  return pages;
}

/** The streams a page is drawn by, in order. Throws `damaged_pdf` when one that is named is not there. */
export function contentRefs(page: SourcePage, resolve: Resolve): PDFRef[] {
  const contents = page.get('Contents');
  const target = resolve(contents);
  if (target === undefined && contents === undefined) return [];

  const parts = target instanceof PDFArray ? target.asArray() : [contents];
  return parts.flatMap((part) => {
    if (part === PDFNull) return [];
    if (part instanceof PDFRef && resolve(part) instanceof PDFRawStream) return [part];
    throw new FaultInDocument('damaged_pdf', 'the content of a page is missing');
  });
}
