import { readFileSync } from 'node:fs';
import { childMain } from '../isolation/child-main.ts';
import { mergePdfs } from './merge-pdfs.ts';
import { createFileSink } from './pdf-sink.ts';

/** Merges PDFs in the given order: `merge.child.ts <part>...` writes `print.pdf` to its folder. */
await childMain('too_hard', async (paths) => {
  return { pageCount: await mergePdfs(paths, (path) => readFileSync(path), createFileSink('print.pdf')) };
});
