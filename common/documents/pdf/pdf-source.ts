import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFObjectStreamParser,
  PDFParser,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import { createNestingGuard, isExhaustion } from './limits/exhaustion.ts';
import { createInflateBudget, type InflateBudget, spendParsedStream } from './limits/inflate-budget.ts';
import { maxPages } from './limits/max-pages.ts';

const maxTreeNodes = 20_000;
const maxTreeDepth = 500;
const maxRefHops = 16;

const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((key) => PDFName.of(key));
const kidsKey = PDFName.of('Kids');

/** A page, including the entries that it inherits from its ancestors in the page tree. */
export type SourcePage = { get(key: string): PDFObject | undefined };

/** A parsed document: its pages in order, and its structure (catalog and page tree), which is never copied. */
export type PdfSource = {
  pages: readonly SourcePage[];
  catalog: PDFDict;
  structure: ReadonlySet<PDFObject>;
  /** Follows references to the object; undefined when there is none. */
  resolve(object: PDFObject | undefined): PDFObject | undefined;
};

/**
 * Parses a whole PDF. Throws `FaultInDocument`: `locked`, `damaged_pdf`, `endless_pages`, `too_many_pages`,
 * `unpacks_too_large`, `too_hard`.
 */
export async function openPdf(bytes: Uint8Array, budget = createInflateBudget()): Promise<PdfSource> {
  const context = await parse(bytes, budget);
  const resolve = (object: PDFObject | undefined) => resolveIn(context, object);

  const catalog = resolve(context.trailerInfo.Root);
  if (!(catalog instanceof PDFDict)) throw new FaultInDocument('damaged_pdf', 'no catalog');
  const structure = new Set<PDFObject>([catalog]);
  const pages = collectPages(resolve(catalog.get(PDFName.of('Pages'))), resolve, structure);
  if (pages.length === 0) throw new FaultInDocument('damaged_pdf', 'no pages');

  return { pages, catalog, structure, resolve };
}

const parsedTypes = [PDFName.of('ObjStm'), PDFName.of('XRef')];

/**
 * Counts the decoded size of the streams that the parser decodes: object streams and cross-reference streams. Ends with
 * a fault when an object is nested too deeply or the process is out of memory.
 */
class CountingParser extends PDFParser {
  /** Kept here because the parser treats an error as a damaged object and continues. */
  fatal: unknown;
  readonly #budget: InflateBudget;
  readonly #enter = createNestingGuard();

  constructor(bytes: Uint8Array, budget: InflateBudget) {
    super(bytes, Number.POSITIVE_INFINITY);
    this.#budget = budget;
    // A private method in the types. It reads one object, with all objects in it if it is an object stream.
    const reader = this as unknown as { parseIndirectObject(): Promise<PDFRef> };
    const read = reader.parseIndirectObject.bind(this);
    reader.parseIndirectObject = async () => {
      try {
        return await read();
      } catch (error) {
        if (isExhaustion(error)) this.fatal = new FaultInDocument('too_hard', String(error));
        throw error;
      }
    };
  }

  override parseObject(ref?: PDFRef): PDFObject {
    if (this.fatal) throw this.fatal;
    const object = this.#enter(() => super.parseObject(ref));
    if (!(object instanceof PDFRawStream)) return object;
    const type = object.dict.lookup(PDFName.of('Type'));
    if (type instanceof PDFName && parsedTypes.includes(type)) this.#count(object);
    return object;
  }

  #count(stream: PDFRawStream): void {
    try {
      spendParsedStream(stream, (object) => resolveIn(this.context, object), this.#budget);
    } catch (error) {
      this.fatal = error;
      throw error;
    }
  }
}

/** Reads the objects of an object stream with the same limit. The parser creates it by `forStream`. */
class NestingParser extends PDFObjectStreamParser {
  readonly #enter = createNestingGuard();

  override parseObject(ref?: PDFRef): PDFObject {
    return this.#enter(() => super.parseObject(ref));
  }
}
PDFObjectStreamParser.forStream = (stream, shouldWaitForTick) => new NestingParser(stream, shouldWaitForTick);

async function parse(bytes: Uint8Array, budget: InflateBudget): Promise<PDFContext> {
  const parser = new CountingParser(bytes, budget);
  const context = await parser.parseDocument();
  if (parser.fatal) throw parser.fatal;
  // A warm process does not know whether it may be printed: restrictions are removed before, with PDFium.
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

/** Collects the pages in order. Throws for a cycle and for a tree that is too deep or too large. */
function collectPages(root: PDFObject | undefined, resolve: Resolve, structure: Set<PDFObject>): SourcePage[] {
  const pages: SourcePage[] = [];
  const ancestors = new Set<PDFObject>();
  let visited = 0;

  function visit(node: PDFObject | undefined, inherited: ReadonlyMap<PDFName, PDFObject>): void {
    if (!(node instanceof PDFDict)) throw new FaultInDocument('damaged_pdf', 'a page is missing');
    visited += 1;
    if (ancestors.has(node) || visited > maxTreeNodes || ancestors.size > maxTreeDepth) {
      throw new FaultInDocument('endless_pages');
    }
    structure.add(node);

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

/**
 * Returns the content entry of a page, a stream or an array of streams; undefined for a blank page. Throws
 * `damaged_pdf` when a referenced stream is missing.
 */
export function checkContents(page: SourcePage, resolve: Resolve): PDFObject | undefined {
  const contents = page.get('Contents');
  const target = resolve(contents);
  if (contents === undefined || contents === PDFNull) return undefined;

  const parts = target instanceof PDFArray ? target.asArray() : [contents];
  const isThere = (part: PDFObject) => part instanceof PDFRef && resolve(part) instanceof PDFRawStream;
  if (parts.every((part) => part === PDFNull || isThere(part))) return contents;
  throw new FaultInDocument('damaged_pdf', 'the content of a page is missing');
}
