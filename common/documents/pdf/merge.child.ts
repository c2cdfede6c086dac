import { readFileSync } from 'node:fs';
import { childMain } from '../isolation/child-main.ts';
import { findBase } from './find-base.ts';
import { mergePdfs } from './merge-pdfs.ts';
import { createFileSink } from './pdf-sink.ts';

/**
 * Merges PDFs in the given order: `merge.child.ts [--fill-sheets|--one-side] <part>...` writes `print.pdf` to its folder.
 * The options are for copies of letters, see `fillsSheets` and `findBase` of `mergePdfs`.
 */
await childMain('too_hard', async (args, startFile) => {
  const fillsSheets = args[0] === '--fill-sheets';
  const areCopies = fillsSheets || args[0] === '--one-side';
  const paths = areCopies ? args.slice(1) : args;
  const read = (path: string, index: number) => {
    startFile(index);
    return readFileSync(path);
  };
  return {
    pageCount: await mergePdfs(paths, read, createFileSink('print.pdf'), areCopies ? { fillsSheets, findBase } : {}),
  };
});
