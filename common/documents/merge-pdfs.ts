import { readFileSync } from 'node:fs';
import { copyPages } from './copy-pages.ts';
import { openPdf } from './pdf-source.ts';
import { createPdfWriter } from './pdf-writer.ts';

/**
 * Rebuilds the pages of all files at `paths`, in order, in a new file at `outputPath`; answers their number. One source
 * file is in memory at a time. Throws `FaultInDocument`.
 */
export async function mergePdfs(paths: readonly string[], outputPath: string): Promise<number> {
  const writer = createPdfWriter(outputPath);
  let pageCount = 0;
  for (const path of paths) {
    const source = await openPdf(readFileSync(path));
    copyPages(source, writer);
    pageCount += source.pages.length;
  }
  writer.finish();
  return pageCount;
}
