import { childMain } from '../isolation/child-main.ts';
import { mergePdfs } from './merge-pdfs.ts';

/** Merges PDFs in the given order: `merge.child.ts <part>...` writes `print.pdf` to its folder. */
await childMain('too_hard', async (parts) => ({ pageCount: await mergePdfs(parts, 'print.pdf') }));
