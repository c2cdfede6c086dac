import { readFileSync } from 'node:fs';
import { type CopiedNumbers, createCopiedNumbers } from './copy-objects.ts';
import { copyPages } from './copy-pages.ts';
import { createFileSink } from './pdf-sink.ts';
import { openPdf } from './pdf-source.ts';
import { createPdfWriter } from './pdf-writer.ts';

/**
 * Merges the pages of all files at `paths`, in order, into a new file at `outputPath`. Returns the number of pages. The
 * pages of a repeated path reuse the objects of its first copy. One source file is in memory at a time. Throws
 * `FaultInDocument`.
 */
export async function mergePdfs(paths: readonly string[], outputPath: string): Promise<number> {
  const writer = createPdfWriter(createFileSink(outputPath));
  const copied = new Map<string, CopiedNumbers>();
  let pageCount = 0;
  for (const path of paths) {
    const source = await openPdf(readFileSync(path));
    // The library keeps one reference object per object number, so `numbers` stay valid when a file is read again.
    const numbers = copied.get(path) ?? createCopiedNumbers();
    copied.set(path, numbers);
    copyPages(source, writer, numbers);
    pageCount += source.pages.length;
  }
  writer.finish();
  return pageCount;
}
