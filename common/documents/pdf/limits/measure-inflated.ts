import { PDFArray, PDFDict, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib';
import type { PdfSource } from '../pdf-source.ts';
import { type InflateBudget, spendStream } from './inflate-budget.ts';
import type { InflatedSize } from './inflated-size.ts';

/** Counts the decoded size of every stream that the pages reach, without keeping it. Throws `unpacks_too_large`. */
export async function measureInflated(
  source: PdfSource,
  budget: InflateBudget,
  inflatedSize: InflatedSize,
): Promise<void> {
  for (const stream of reachableStreams(source)) await spendStream(stream, source.resolve, budget, inflatedSize);
}

function* reachableStreams(source: PdfSource): Generator<PDFRawStream> {
  const seen = new Set<PDFObject>();
  const pending: (PDFObject | undefined)[] = [];
  for (const page of source.pages) {
    for (const key of ['Contents', 'Resources', 'Annots', 'Group']) pending.push(page.get(key));

    while (pending.length > 0) {
      const object = source.resolve(pending.pop());
      if (!object || seen.has(object) || source.structure.has(object)) continue;
      const held = object instanceof PDFRawStream ? object.dict : object;
      if (!(held instanceof PDFDict || held instanceof PDFArray)) continue;
      seen.add(object);
      for (const inner of held instanceof PDFDict ? held.values() : held.asArray()) pending.push(inner);
      if (object instanceof PDFRawStream) yield object;
    }
  }
}
