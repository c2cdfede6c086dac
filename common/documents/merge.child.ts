import { childMain } from './child-main.ts';
import { mergePdfs } from './merge-pdfs.ts';

/** Merges PDFs in the given order: `merge.child.ts <part>...` leaves `print.pdf` in its folder. */
await childMain('too_hard', async (parts) => ({ pageCount: await mergePdfs(parts, 'print.pdf') }));
