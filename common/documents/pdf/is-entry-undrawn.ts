import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from '@cantoo/pdf-lib';
import type { PdfSource } from './pdf-source.ts';

const name = (word: string) => PDFName.of(word);
/** A field may be nested in others, from which it inherits its type and its value. */
const maxFieldDepth = 32;
/** Longer appearances are not looked into: an empty one is short. */
const maxAppearanceBytes = 64 * 1024;
/** Operators that show text (ISO 32000-1, 9.4.3), or draw another object. */
const drawsEntry = /(?:\b(?:T[jJ]|Do)|['"])(?:\s|$)/;

/** Returns whether the document asks PDF viewers to draw all fields again (ISO 32000-1, table 218). */
export function needsAppearances({ catalog, resolve }: PdfSource): boolean {
  const form = resolve(catalog.get(name('AcroForm')));
  return form instanceof PDFDict && resolve(form.get(name('NeedAppearances'))) === PDFBool.True;
}

/**
 * Returns whether a form field has an entry that its appearance does not draw, so that it would be printed empty. PDF
 * viewers draw such an entry themselves. A signature without an appearance is invisible on purpose.
 */
export function isEntryUndrawn(
  widget: PDFDict,
  appearance: PDFObject | null,
  resolve: PdfSource['resolve'],
  isDrawnByViewer: boolean,
): boolean {
  const type = readInherited(widget, 'FT', resolve);
  const value = readInherited(widget, 'V', resolve);
  if (type === name('Btn')) return appearance === null && isSwitchedOn(widget, resolve);
  if (type !== name('Tx') && type !== name('Ch')) return false;
  if (!hasText(value, resolve)) return false;
  return appearance === null || (isDrawnByViewer && isEmptyAppearance(resolve(appearance)));
}

/** Returns an entry of a field, or of the field that it is nested in. */
export function readInherited(field: PDFDict, key: string, resolve: PdfSource['resolve']): PDFObject | undefined {
  let holder: PDFObject | undefined = field;
  for (let depth = 0; depth < maxFieldDepth && holder instanceof PDFDict; depth += 1) {
    const value = resolve(holder.get(name(key)));
    if (value !== undefined) return value;
    holder = resolve(holder.get(name('Parent')));
  }
  return undefined;
}

/** A push button has no state. The value of a group is not looked at: another button may be the one that is switched on. */
function isSwitchedOn(widget: PDFDict, resolve: PdfSource['resolve']): boolean {
  const state = resolve(widget.get(name('AS'))) ?? resolve(widget.get(name('V')));
  return state instanceof PDFName && state !== name('Off');
}

/** A text is a string or a stream, several choices are an array of strings. */
function hasText(value: PDFObject | undefined, resolve: PdfSource['resolve']): boolean {
  if (value instanceof PDFRawStream) return value.contents.length > 0;
  const entries = value instanceof PDFArray ? value.asArray().map(resolve) : [value];
  return entries.some((entry) => {
    return (entry instanceof PDFString || entry instanceof PDFHexString) && entry.decodeText().trim() !== '';
  });
}

function isEmptyAppearance(appearance: PDFObject | undefined): boolean {
  if (!(appearance instanceof PDFRawStream)) return true;
  const content = readContent(appearance);
  return content !== null && !drawsEntry.test(content);
}

/** Returns null for an appearance that is long, damaged or encoded unusually: it is not empty. */
function readContent({ dict, contents }: PDFRawStream): string | null {
  const filter = dict.get(name('Filter'));
  if (filter === undefined) return contents.length > maxAppearanceBytes ? null : toText(contents);
  if (filter !== name('FlateDecode')) return null;
  try {
    return toText(inflateSync(contents, { maxOutputLength: maxAppearanceBytes }));
  } catch {
    return null;
  }
}

/** Decodes Latin-1. A warm process has no `Buffer`. */
const toText = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
