import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRef } from '@cantoo/pdf-lib';
import type { PdfSource } from './pdf-source.ts';

const name = (word: string) => PDFName.of(word);

/** A layer (optional content group) and whether it is hidden in print. */
export type SourceLayer = { group: PDFRef; isHidden: boolean };

/** Returns the layers with their state in print: the layer's own print state, else the document's default. */
export function findLayers({ catalog, resolve }: PdfSource): SourceLayer[] {
  const properties = resolve(catalog.get(name('OCProperties')));
  if (!(properties instanceof PDFDict)) return [];
  const defaults = resolve(properties.get(name('D')));
  const settings = defaults instanceof PDFDict ? defaults : null;
  const listed = (key: string) => readRefs(resolve(settings?.get(name(key))));

  const isHiddenByDefault = resolve(settings?.get(name('BaseState'))) === name('OFF');
  const shown = new Set(listed('ON'));
  const hidden = new Set(listed('OFF'));
  const printAware = new Set(findPrintAware(settings, resolve));

  return readRefs(resolve(properties.get(name('OCGs')))).map((group) => {
    const byDefault = hidden.has(group) || (isHiddenByDefault && !shown.has(group));
    const inPrint = printAware.has(group) ? readPrintState(resolve(group), resolve) : null;
    return { group, isHidden: inPrint ? inPrint === 'OFF' : byDefault };
  });
}

/** Returns the layers whose own print state applies when the document is printed. */
function findPrintAware(settings: PDFDict | null, resolve: PdfSource['resolve']): PDFRef[] {
  const rules = resolve(settings?.get(name('AS')));
  if (!(rules instanceof PDFArray)) return [];
  return rules.asArray().flatMap((entry) => {
    const rule = resolve(entry);
    if (!(rule instanceof PDFDict) || resolve(rule.get(name('Event'))) !== name('Print')) return [];
    return readRefs(resolve(rule.get(name('OCGs'))));
  });
}

function readPrintState(group: PDFObject | undefined, resolve: PdfSource['resolve']): 'ON' | 'OFF' | null {
  const usage = group instanceof PDFDict ? resolve(group.get(name('Usage'))) : undefined;
  const print = usage instanceof PDFDict ? resolve(usage.get(name('Print'))) : undefined;
  const state = print instanceof PDFDict ? resolve(print.get(name('PrintState'))) : undefined;
  if (state === name('OFF')) return 'OFF';
  return state === name('ON') ? 'ON' : null;
}

function readRefs(object: PDFObject | undefined): PDFRef[] {
  return object instanceof PDFArray ? object.asArray().filter((entry) => entry instanceof PDFRef) : [];
}
