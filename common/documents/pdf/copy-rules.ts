import { PDFDict, PDFHexString, PDFName, type PDFObject, PDFStream, PDFString } from '@cantoo/pdf-lib';
import type { PdfSource } from './pdf-source.ts';

/**
 * What the keys of a dictionary mean. `names`: keys chosen by the document (a font may be called JS), none is dropped.
 * `resources`: a resource dictionary, whose values are `names` dictionaries. `plain`: keys defined by the PDF standard.
 */
export type DictMode = 'plain' | 'resources' | 'names';

const names = (...words: string[]) => new Set(words.map((word) => PDFName.of(word)));

/**
 * Entries that run actions, carry files, belong to the document's structure, or give a printer other content than a
 * reader shows (`Alternates` and `OPI` of images, `PS` and `Ref` of forms). Also `Usage` of layers: some readers take a
 * layer's state on the screen from it instead of the state that the print file gives the layer.
 */
const droppedKeys = names(
  'AA',
  'AF',
  'Alternates',
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
  'PS',
  'Ref',
  'StructParent',
  'StructParents',
  'Usage',
  'XFA',
);
/**
 * Stream entries that refer to an external file with the bytes, and the length, which the copy sets itself. `DP` is
 * valid only for inline images, but some readers treat it as `DecodeParms`, on which the counted size depends.
 */
const droppedStreamKeys = names('F', 'FFilter', 'FDecodeParms', 'DP', 'Length', 'DL');
/** All kinds of resource (ISO 32000-1, 7.8.3). Each is a dictionary of names, except the last, an array. */
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

/** Types of object that never draw anything, wherever they are referenced. */
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
/** PostScript XObjects (ISO 32000-1, 8.8.2): a printer runs their program, but a reader shows nothing. */
const postScript = PDFName.of('PS');
const postScriptKeys = [PDFName.of('Subtype'), PDFName.of('Subtype2')];

/** Returns whether an object is not copied: document structure, an action, an attached file or PostScript. */
export function isExcluded(object: PDFObject, mode: DictMode, source: PdfSource): boolean {
  if (source.structure.has(object)) return true;
  const isStream = object instanceof PDFStream;
  const dict = isStream ? object.dict : object;
  // A stream is never a dictionary of names, whatever refers to it.
  if (!(dict instanceof PDFDict) || (mode === 'names' && !isStream)) return false;
  if (isStream && postScriptKeys.some((key) => source.resolve(dict.get(key)) === postScript)) return true;
  const type = source.resolve(dict.get(typeKey));
  const kind = source.resolve(dict.get(kindKey));
  return (type instanceof PDFName && droppedTypes.has(type)) || (kind instanceof PDFName && actionKinds.has(kind));
}

/** Returns whether an entry of a dictionary in `mode` is copied. In `names` strings are dropped: no resource is one. */
export function isEntryCopied(key: PDFName, value: PDFObject | undefined, mode: DictMode, isStream: boolean): boolean {
  if (mode === 'resources') return resourceKinds.has(key);
  if (mode === 'names') return !(value instanceof PDFString || value instanceof PDFHexString);
  return !droppedKeys.has(key) && !(isStream && droppedStreamKeys.has(key));
}

/** Returns the mode of the value under `key` in a dictionary of mode `outer`. */
export function modeOfEntry(key: PDFName, outer: DictMode): DictMode {
  if (outer === 'resources') return 'names';
  if (outer === 'names') return 'plain';
  if (key === resourcesKey) return 'resources';
  return nameMapKeys.has(key) ? 'names' : 'plain';
}
