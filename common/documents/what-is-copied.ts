import { PDFDict, PDFHexString, PDFName, type PDFObject, PDFStream, PDFString } from '@cantoo/pdf-lib';
import type { PdfSource } from './pdf-source.ts';

/**
 * How the keys of a dictionary are to be read. In `names` they are a customer's own (a font may be called JS) and none
 * is dropped; the dictionaries in `resources` are such; everywhere else keys have the meaning of the format.
 */
export type Mode = 'plain' | 'resources' | 'names';

const names = (...words: string[]) => new Set(words.map((word) => PDFName.of(word)));

/** Entries that act, carry files, or only serve a document's frame. */
const droppedKeys = names(
  'AA',
  'AF',
  'EF',
  'EmbeddedFile',
  'EmbeddedFiles',
  'JS',
  'JavaScript',
  'Launch',
  'Metadata',
  'OpenAction',
  'OPI',
  'Parent',
  'PieceInfo',
  'Ref',
  'StructParent',
  'StructParents',
  'XFA',
);
/** On a stream these name a file elsewhere that holds its bytes; the length is written anew. */
const droppedStreamKeys = names('F', 'FFilter', 'FDecodeParms', 'Length', 'DL');
/** The kinds of resource there are; each is a map from a customer's names, but for the last. */
const resourceKinds = names(
  'Font',
  'XObject',
  'ExtGState',
  'ColorSpace',
  'Pattern',
  'Shading',
  'Properties',
  'ProcSet',
);
const nameMapKeys = names('CharProcs', 'Colorants');

/** Things that are never part of a page's ink, wherever they are referred to. */
const droppedTypes = names('Action', 'Catalog', 'EmbeddedFile', 'Filespec', 'ObjStm', 'Page', 'Pages', 'XRef');
const actionKinds = names(
  'GoTo',
  'GoToE',
  'GoToR',
  'Hide',
  'ImportData',
  'JavaScript',
  'Launch',
  'Movie',
  'Named',
  'Rendition',
  'ResetForm',
  'Sound',
  'SubmitForm',
  'URI',
);
const resourcesKey = PDFName.of('Resources');
const typeKey = PDFName.of('Type');
const kindKey = PDFName.of('S');

/** Whether an object stays behind: a part of the old document's frame, an action, an attached file. */
export function isLeftBehind(object: PDFObject, mode: Mode, source: PdfSource): boolean {
  if (source.frame.has(object)) return true;
  const dict = object instanceof PDFStream ? object.dict : object;
  if (!(dict instanceof PDFDict) || mode === 'names') return false;
  const type = source.resolve(dict.get(typeKey));
  const kind = source.resolve(dict.get(kindKey));
  return (type instanceof PDFName && droppedTypes.has(type)) || (kind instanceof PDFName && actionKinds.has(kind));
}

/** Whether an entry of a dictionary (or of a stream's) in `mode` is copied. A resource is never a text. */
export function isEntryCopied(key: PDFName, value: PDFObject | undefined, mode: Mode, isStream: boolean): boolean {
  if (mode === 'resources') return resourceKinds.has(key);
  if (mode === 'names') return !(value instanceof PDFString || value instanceof PDFHexString);
  return !droppedKeys.has(key) && !(isStream && droppedStreamKeys.has(key));
}

/** The mode of what stands under `key` in a dictionary of mode `outer`. */
export function modeUnder(key: PDFName, outer: Mode): Mode {
  if (outer === 'resources') return 'names';
  if (outer === 'names') return 'plain';
  if (key === resourcesKey) return 'resources';
  return nameMapKeys.has(key) ? 'names' : 'plain';
}
