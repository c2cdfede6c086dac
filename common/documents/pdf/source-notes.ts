import { PDFArray, PDFBool, PDFDict, PDFName, PDFStream } from '@cantoo/pdf-lib';
import { FaultInDocument } from '../isolation/fault-in-document.ts';
import type { PdfSource, SourcePage } from './pdf-source.ts';

/**
 * What a sender should know of a file whose pages are printed. `portfolio`: the files in it are not printed.
 * `restricted`: its author restricted what may be done with it, but allows printing.
 */
export const sourceNotes = ['portfolio', 'restricted'] as const;
export type SourceNote = (typeof sourceNotes)[number];

const name = (word: string) => PDFName.of(word);
const entry = 'BJ_Notes';

/**
 * Returns whether a document is a portfolio. Throws the fault `undrawn_content` for a shell: its pages only say that
 * another program is needed. That is a form that XFA draws (ISO 32000-1, 12.7.8), or the wrapper of an encrypted document
 * (ISO 32000-2, 7.6.7).
 */
export function findNotes(source: PdfSource): SourceNote[] {
  const { catalog, resolve } = source;
  if (isDrawnByXfa(source)) throw new FaultInDocument('undrawn_content', 'XFA');
  const files = resolve(catalog.get(name('AF')));
  const isWrapper = (file: PDFDict) => resolve(file.get(name('AFRelationship'))) === name('EncryptedPayload');
  if (
    files instanceof PDFArray &&
    files
      .asArray()
      .map(resolve)
      .some((file) => file instanceof PDFDict && isWrapper(file))
  )
    throw new FaultInDocument('undrawn_content', 'encrypted payload');
  return resolve(catalog.get(name('Collection'))) instanceof PDFDict ? ['portfolio'] : [];
}

/** A form whose fields are also drawn as PDF is printed by these. */
function isDrawnByXfa({ catalog, pages, resolve }: PdfSource): boolean {
  const form = resolve(catalog.get(name('AcroForm')));
  const template = form instanceof PDFDict ? resolve(form.get(name('XFA'))) : undefined;
  if (!(template instanceof PDFStream || (template instanceof PDFArray && template.size() > 0))) return false;
  const isField = (widget: PDFDict) =>
    resolve(widget.get(name('Subtype'))) === name('Widget') && resolve(widget.get(name('AP'))) instanceof PDFDict;
  const hasField = ({ get }: SourcePage) => {
    const annotations = resolve(get('Annots'));
    return (
      annotations instanceof PDFArray &&
      annotations
        .asArray()
        .map(resolve)
        .some((one) => one instanceof PDFDict && isField(one))
    );
  };
  return resolve(catalog.get(name('NeedsRendering'))) === PDFBool.True || !pages.some(hasField);
}

/** Returns the entry of a page with the notes about its file, which the first page has; empty without any. */
export function writeNotes(notes: readonly SourceNote[]): string {
  return notes.length === 0 ? '' : ` /${entry} [${notes.map((note) => `/${note}`).join(' ')}]`;
}

/** Reads the notes of a page that was rebuilt before. */
export function readNotes(page: SourcePage, { resolve }: PdfSource): SourceNote[] {
  const listed = resolve(page.get(entry));
  const words = listed instanceof PDFArray ? listed.asArray() : [];
  return sourceNotes.filter((note) => words.includes(name(note)));
}
